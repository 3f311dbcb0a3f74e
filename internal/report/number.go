package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Number writes v so that it reads back as the same number: for programs.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Rounded writes v for people: integers below 1e15 in full, other numbers with
// six significant digits and never fewer than the digits before the point.
func Rounded(v float64) string {
	if size := math.Abs(v); size < 1e15 && (v == math.Trunc(v) || size >= 1e5) {
		return strconv.FormatFloat(math.Round(v)+0, 'f', 0, 64) // + 0: no −0
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Brief writes v for sentences: three significant digits, or all of an integer's.
func Brief(v float64) string {
	switch {
	case math.IsInf(v, 0) || math.IsNaN(v):
		return "none"
	case math.Abs(v) >= 1000 && math.Abs(v) < 1e15:
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// PlusMinus writes a mean with its standard deviation, "0.012 ± 0.021": two
// significant digits of the deviation, and as many decimals of the mean.
func PlusMinus(mean, std float64) string {
	if !(std > 0) || math.IsInf(std, 0) || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return Rounded(mean) + " ± " + Brief(std)
	}
	place := int(math.Floor(math.Log10(std))) - 1 // of the deviation's second digit
	if rounded := math.Round(std / math.Pow(10, float64(place))); rounded >= 100 {
		place++
	}
	if place < -8 || place > 8 || math.Abs(mean) >= 1e9 || mean != 0 && math.Log10(math.Abs(mean)) < -5 {
		return Rounded(mean) + " ± " + strconv.FormatFloat(std, 'g', 2, 64)
	}
	unit := math.Pow(10, float64(place))
	fixed := func(v float64) string {
		if place > 0 {
			v = math.Round(v/unit) * unit
		}
		out := strconv.FormatFloat(v, 'f', max(-place, 0), 64)
		if strings.Trim(out, "-0.") == "" {
			return strings.TrimPrefix(out, "-")
		}
		return out
	}
	return fixed(mean) + " ± " + fixed(std)
}

// Seconds writes a time in seconds for people: "0.0123 s", "12.3 s", "1h2m3s".
func Seconds(v float64) string {
	if v < 60 {
		return strconv.FormatFloat(v, 'g', 3, 64) + " s"
	}
	return time.Duration(v * float64(time.Second)).Round(time.Second).String()
}
