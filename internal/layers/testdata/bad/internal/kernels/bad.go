package kernels

import (
	_ "log"     // want: must not import log
	"math/rand" // want: math/rand is not used
	randv2 "math/rand/v2"
	"time"

	_ "bohier/internal/gp" // want: internal/kernels must not import internal/gp
	_ "bohier/internal/points"
	_ "bohier/internal/space" // want: internal/kernels must not import internal/space
)

func clock() time.Time { return time.Now() } // want: numerics read no clock

func global() float64 {
	return rand.Float64() + randv2.Float64() // want: no global random source
}

func local() *randv2.Rand { return randv2.New(randv2.NewPCG(1, 2)) }
