// Command blackbox serves the benchmark problems to any program.
//
//	blackbox list                       names, dimensions, optima
//	blackbox spec [NAME…]               search spaces as JSON
//	blackbox eval NAME '{"x1":0.3,…}'   the value of one configuration
//	blackbox serve NAME                 a JSON object a line in, a value a line out
//	blackbox study [-seed N] [-budget N] NAME
//	                                    a study file: bohier run -c FILE works on it
//	blackbox trial NAME                 the command of that study file: the value of
//	                                    the configuration in the file BOHIER_PARAMS
//
// The surrogates of Meta's Ax need their data: DATA names its directory.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "blackbox:", err)
		os.Exit(1)
	}
}
