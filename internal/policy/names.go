package policy

import (
	"bohier/internal/acq"
	"bohier/internal/kernels"
	"bohier/internal/space"
)

// Vocabulary lists the names a study file may use, and the keys, or single values
// of keys ("acquisition.name=ts"), that the cycle does nothing with yet.
type Vocabulary struct {
	Kernels, Bases, Acquisitions, Designs []string
	Unavailable                           []string
}

// Names is what this program knows, for the checks and messages of study files.
func Names() Vocabulary {
	return Vocabulary{
		Kernels:      append([]string{"auto"}, kernels.Names()...),
		Bases:        kernels.Bases(),
		Acquisitions: acq.Names(),
		Designs:      append([]string{"auto"}, space.Designs()...),
	}
}
