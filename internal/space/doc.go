// Package space is the search space of a study: parameters, the conditions that decide which of them are active, and
// the constraints on their values.
//
// Start from [New], which checks a description and returns a [Space], and
// [Configuration], raw values for the active parameters. [Domain] is the same
// space as an optimiser sees it: encoded points.
//
// Three representations of one value. Text and JSON are for users; a raw value is the number in
// real units, or the index of a choice's value; a coordinate is the unit coordinate of a number on
// its scale, or the index of a choice (see package points). Constants have no coordinate.
//
// Emitted values. A number leaves the program rounded to its step or precision or, without either, to as many decimals
// as survive the way to the unit coordinate and back (about 13 digits), so it is short to read, and decoding an encoded
// emitted configuration gives it back bit for bit. Values that come from outside are kept as given when they are in
// range and on the declared grid. Activity is always decided on values, never on coordinates.
//
// Conditions follow Kleene's three-valued logic; see [Expr]. They compare the decimals that values print as: 0.1 + 0.2
// == 0.3 holds. [Compare.Linear] is a comparison as a linear relation.
//
// A Space is immutable and safe for concurrent use, and so is a Domain. Generators are passed in; nothing here reads a
// clock or global state. Mistakes in data return errors that name the parameter and the rule; an index out of range
// panics.
//
// References: Hutter & Osborne 2013 (conditional spaces); Owen 2017 (randomised
// Halton); Joe & Kuo 2008 and Burley 2020 (Sobol, scrambling).
package space
