// Package fm repeats the optimization study of Oh, Gavves and Welling 2021, "Mixed variable Bayesian optimization with
// frequency modulated kernels": six kernels on Func2C, Func3C, Ackley5C (their section 5.1), hyperparameters of NuSVR
// and XGBoost (5.2), and the joint search for an architecture and its training (5.3), beside regularised evolution,
// CoCaBO, the program's default and random search.
package fm
