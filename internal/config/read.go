package config

import (
	"io"
	"os"

	"bohier/internal/study"
)

// Load reads the study file at a path. The study is nil when the report holds
// errors.
func Load(path string, o Options) (*study.Study, Report) {
	var data []byte
	f, err := os.Open(path)
	if err == nil { // one byte more than is accepted: pipes and devices tell no size, and may have no end
		defer f.Close()
		data, err = io.ReadAll(io.LimitReader(f, maxBytes+1))
	}
	if err != nil {
		return nil, Report{Errors: []Problem{{File: path, Message: "cannot be read: " + err.Error(), Cause: err}}}
	}
	return Parse(path, data, o)
}

// Options tell the package what the program around it can do.
type Options struct {
	// The valid names, in the order messages list them. Nil accepts any.
	Kernels      []string // surrogate.kernel.name, .distance, .sum
	Bases        []string // surrogate.kernel.base
	Acquisitions []string // acquisition.name
	Designs      []string // initial.design
	Rules        []string // policy.without
	PastRules    []string // that may stand there still, and do nothing

	// Kernel tells what in surrogate.kernel does not fit together or to the space;
	// nil: nobody is asked.
	Kernel func(*study.Study) error

	// Hyper tells what in surrogate.hyperparameters does not go with the kernel; nil:
	// nobody is asked.
	Hyper func(*study.Study) error

	// Acquisition tells why acquisition.name does not go with the rest of the
	// study; nil: nobody is asked.
	Acquisition func(*study.Study) error
}
