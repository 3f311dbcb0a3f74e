// Package surrogate fits Gaussian processes to a study's trials: to the objective, with one kernel
// and one transform (a Spec), and to the other outcomes.
//
// A Dataset holds encoded trials with values to be minimised. Fit takes the study's kernel, warping and hyperparameter
// settings (kernel.go) and the source studies of a warm start (multitask.go) into account. A Fitted surrogate predicts
// in the objective's own units (posterior.go), judges itself by leaving observations out and reports which parameters
// matter (diagnose.go). Which Spec suits a study is not decided here but in package policy.
//
// Every function is pure and may be called concurrently. Errors that a user can act on are *study.Error values.
package surrogate
