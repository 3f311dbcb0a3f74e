package main

import (
	"bohier/internal/config"
	"bohier/internal/suggest"
)

// options tells the reader of study files what the program can do.
func options() config.Options {
	names := suggest.Names()
	return config.Options{
		Kernels: names.Kernels, Bases: names.Bases, Acquisitions: names.Acquisitions, Designs: names.Designs, Rules: names.Rules, PastRules: names.PastRules,
		Kernel: suggest.CheckKernel, Hyper: suggest.CheckHyper, Acquisition: suggest.CheckAcquisition,
	}
}
