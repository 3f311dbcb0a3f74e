package main

import (
	"bohier/internal/config"
	"bohier/internal/policy"
)

// options tells the reader of study files what the program can do.
func options() config.Options {
	names := policy.Names()
	unavailable := map[string]string{}
	for _, path := range names.Unavailable {
		unavailable[path] = "" // the reader's own words
	}
	return config.Options{
		Kernels: names.Kernels, Bases: names.Bases, Acquisitions: names.Acquisitions, Designs: names.Designs,
		Kernel: policy.CheckKernel, Acquisition: policy.CheckAcquisition, Unavailable: unavailable,
	}
}
