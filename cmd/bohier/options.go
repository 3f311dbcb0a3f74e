package main

import (
	"bohier/internal/config"
	"bohier/internal/policy"
)

// options tells the reader of study files what the program can do.
func options() config.Options {
	names := policy.Names()
	return config.Options{
		Kernels: names.Kernels, Bases: names.Bases, Acquisitions: names.Acquisitions, Designs: names.Designs, Rules: names.Rules, PastRules: names.PastRules,
		Kernel: policy.CheckKernel, Hyper: policy.CheckHyper, Acquisition: policy.CheckAcquisition,
	}
}
