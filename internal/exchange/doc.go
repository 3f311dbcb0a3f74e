// Package exchange reads the studies of other tools, spaces and trials, and writes
// studies for them: Optuna (journal file, SQLite database, trials_dataframe), Weights &
// Biases (exported runs), irace (scenario, log), SMAC (run history) and Ax (JSON).
//
// Read gives a Study in the source's own words. Its space is text that config.From
// converts; Study.Fit brings its trials into a space of ours, and says of every trial
// and value that it leaves out. What Export writes, Read understands: what a round trip
// loses is in the notes of one or the other.
//
// SQLite files are read by sqlite.go, a reader of whole tables. The full engine,
// modernc.org/sqlite 1.61, is 31 s of processor time in a cold build, 20 modules in go.sum
// and a program of 6.4 MB by itself, against 10 MB for all of bohier.
package exchange
