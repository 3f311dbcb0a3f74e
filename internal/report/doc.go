// Package report turns studies and trials into output for users and programs: the JSON contracts, shell assignments,
// arguments, tables and CSV.
//
// Start from Suggestion and Trial, the two objects most commands print, and Table for people. The
// JSON keys are a contract: keys may be added, none renamed or retyped. Configurations appear with
// their active parameters only, in the order of the study file; Env sorts by name.
//
// Sentences are set by templates, the files tmpl (words.go). Trials are columns of facts (columns.go). Texts for people
// show numbers as Rounded does, and control characters as escapes (Visible); texts for programs are exact.
//
// Every function is pure and may be called concurrently. Nothing here writes anywhere: the caller gets bytes.
package report
