package policy

import (
	"bohier/internal/acq"
	"bohier/internal/kernels"
	"bohier/internal/space"
)

// Vocabulary lists the names a study file may use, in the order messages list them.
type Vocabulary struct {
	Kernels, Bases, Acquisitions, Designs, Rules []string
}

// Names is what this program knows, for the checks and messages of study files.
func Names() Vocabulary {
	return Vocabulary{
		Kernels:      append([]string{"auto"}, kernels.Names()...),
		Bases:        kernels.Bases(),
		Acquisitions: acq.Names(),
		Designs:      append([]string{"auto"}, space.Designs()...),
		Rules:        RuleNames(),
	}
}
