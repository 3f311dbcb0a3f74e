package report

import (
	"fmt"
	"strings"
)

type (
	// Gate compares the best trial of a study, as it was recorded and as it is measured
	// now, with a baseline. Worse is that of the last that was compared.
	Gate struct {
		Schema    string  `json:"schema"`
		OK        bool    `json:"ok"` // no worse than the margin allows
		Study     string  `json:"study"`
		Objective string  `json:"objective"`
		Direction string  `json:"direction"`
		Best      Quality `json:"best"`
		// The best trial measured again: the mean, the values, and whether one violates a
		// constraint. Absent where the recorded value is worse already.
		Now      *Quality  `json:"now,omitempty"`
		Measured []float64 `json:"measured,omitempty"`
		Violates bool      `json:"violates,omitempty"`
		Baseline Quality   `json:"baseline"`
		Worse    float64   `json:"worse"` // by how much, in units of the objective; negative: better
		Margin   float64   `json:"margin"`
	}

	// Quality is how good a trial is.
	Quality struct {
		Trial  string   `json:"id"`
		Value  float64  `json:"value"`
		Stderr *float64 `json:"stderr,omitempty"`
	}
)

// Text is the answer in one line.
func (g *Gate) Text() string { return strings.Join(sentences("gate", g), "") }

// JUnit is a report of one test case.
func (g *Gate) JUnit() []byte { return []byte(passage("junit", g)) }

// GitHub is an annotation in the form of GitHub's workflow commands.
func (g *Gate) GitHub(file string, line int) []byte {
	kind := "notice"
	if !g.OK {
		kind = "error"
	}
	return Annotation(kind, file, fmt.Sprintf("line=%d,title=bohier gate", line), g.Text())
}

// Annotation is what GitHub Actions shows beside the place of a file.
func Annotation(kind, file, place, text string) []byte {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	file = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data.Replace(file))
	return fmt.Appendf(nil, "::%s file=%s,%s::%s\n", kind, file, place, data.Replace(text))
}
