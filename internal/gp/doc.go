// Package gp is the surrogate: an exact Gaussian process with a constant, linear or
// zero mean, any covariance function of package kernels, and observation noise.
//
// Start from Fit, which chooses hyperparameters and returns a Model and a Report, and from Model.Standard. Params lists
// the hyperparameters for editing; NewTransform prepares objective values.
//
// Model. y = f(x) + ε with f ~ GP(μ, σ_f²·k) and ε ~ N(0, σ_n² + known variance). The alternative form "kriging"
// profiles μ and σ² in closed form and has a nugget η in place of the noise (Jones, Schonlau & Welch 1998; Forrester,
// Sóbester & Keane 2008), with re-interpolation as an option.
//
// Units. Everything exported is in the units of y as given: hyperparameters, likelihoods, predictions. Inside, y is
// standardised (type Units); the power of two in it is split off exactly, so that scaling y by 2^k changes no bit of
// the standardised results (Model.Standard predicts in those, Model.Predict in the units of y). y is always to be
// minimised. Variances are latent; Model.Noise is σ_n².
//
// Priors are densities of the coordinate a hyperparameter is optimised in (its logarithm, mostly), so that the maximum
// does not depend on how a kernel spells it; without a prior it is flat in that coordinate.
//
// Numeric safety. Exact duplicates are merged and the likelihood completed, so that it equals the unmerged one. A
// matrix that is not positive definite during the fit rejects its hyperparameters; the final one climbs a ladder of
// jitters until the condition number is below 1e11, then the fit is repeated with noise of at least 1e-3 of the spread,
// then Fit returns *FallbackError.
//
// Mean. The constant is profiled out in closed form. The weights of a linear mean are integrated out under normal
// priors, as one more term of the covariance function (linear.go).
//
// Variants. Kernels that ask for it get a spectrum flip of their training matrix.
//
// Scale. The likelihood costs n³/3 and its gradient n³ more. Above Options.MaxFit distinct points (500) hyperparameters
// are fitted on a subset of that size and the model conditions on all points. Above Options.MaxExact (1,000) it
// conditions on a subset too: a third of it around the best points, where a search looks, a third spread over the ranks
// of the values and a third spread over the space (subset.go). From there on a fit costs a constant plus n·MaxExact
// kernel values, and a prediction a constant. Further points, of Condition, are added to the subset.
//
// Concurrency. A Model is immutable and shared; a Predictor belongs to one
// goroutine. Results do not depend on Options.Workers.
//
// Errors. Misuse (slices of different length) panics with a "gp:" message. Data that allow no surrogate give
// *FallbackError; impossible hyperparameters and observations that are not finite give ordinary errors.
//
// References: Rasmussen & Williams 2006, Gaussian Processes for Machine Learning, chapters 2 and 5.
package gp
