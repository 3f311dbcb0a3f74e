// Package kerneltest is the contract every covariance function must keep. Start
// from [Contract], which checks a kernel on random points of a [Space] and
// returns how often each property was checked; sum the counts over spaces and
// call Checked, which fails for properties never checked. [Allocations] counts
// those of a row and its pullback.
//
// Nothing here is safe for concurrent use of one generator.
package kerneltest
