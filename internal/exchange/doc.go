// Package exchange reads the studies of other tools, spaces and trials: Optuna, Weights & Biases
// (sweeps, exported runs), irace (scenario, log), SMAC (run history), ConfigSpace, Ax, Katib and NNI.
//
// Read gives a Study in the source's own words. Study.Convert makes a study file of its space; Study.Fit brings its
// trials into a space of ours, and reports every trial and value that it leaves out.
//
// Formats that are private to a tool are read in its language: a Script, which the program carries, prints JSON lines
// (Study, Trial) that Read understands. A space in text is converted here; the converter asks a config.Node for each
// key, and reports the keys that it did not ask for as left out.
package exchange
