package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"bohier/internal/config"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// check is the verdict on a study file; Size is null for infinite spaces.
type check struct {
	Schema     string           `json:"schema"`
	OK         bool             `json:"ok"`
	Errors     []config.Problem `json:"errors"`
	Warnings   []config.Problem `json:"warnings"`
	Parameters int              `json:"parameters"`
	Branches   int              `json:"branches"`
	Size       *float64         `json:"size"`
	Feasible   *float64         `json:"feasible"`
	// Estimated means that the size was not counted, and is that without the constraints.
	Estimated bool              `json:"estimated,omitempty"`
	FoundBy   []string          `json:"found_by,omitempty"`
	Rules     []string          `json:"rules"` // of the policy, in force
	Samples   []json.RawMessage `json:"samples"`
	// Lacking counts the complete trials without a value of an objective, by name.
	Lacking map[string]int `json:"lacking,omitempty"`
}

// feasibleDraws is how many random configurations estimate the feasible share.
const feasibleDraws = 10_000

func runCheck(s call, args []string) error {
	n, printed, rules := s.count("samples"), s.on("print"), s.on("rules")
	if len(args) > 0 {
		s.study = args[0]
	}
	st, found, err := s.read()
	result := check{Schema: "bohier/check/1", Rules: []string{}, Samples: []json.RawMessage{}}
	var samples []space.Configuration
	if st != nil && !printed {
		samples, err = measure(&result, st, n)
		if none, ok := errors.AsType[*space.InfeasibleError](err); ok {
			found = found.Unsatisfiable(none)
			err = found.Err()
		}
	}
	if st != nil && err == nil && st.Several() && !printed && !rules {
		if v, failed := s.look(); failed == nil {
			result.Lacking = lacking(v.Study, v.Trials)
		} else { // which is no mistake in the study file
			s.Log.warn("values that trials lack were not counted: " + failed.Error())
		}
	}
	switch {
	case err != nil && !errors.As(err, new(config.Invalid)):
		return err
	case s.format == "github":
		if werr := s.write(annotations(found)); werr != nil {
			return werr
		}
		return reported(err)
	case err != nil && s.format == "text":
		return err
	}
	result.OK, result.Errors = err == nil, append([]config.Problem{}, found.Errors...)
	result.Warnings = append([]config.Problem{}, found.Warnings...)
	if rules && st != nil {
		t := report.TableOf("rule", "what it does")
		for _, rule := range policy.InForce(st) {
			t.Row(rule.Name, rule.Doc)
		}
		return s.print(t.Text(false))
	}
	if s.format == "text" || printed && st != nil {
		for _, w := range found.Warnings {
			if s.text("log-format") == "json" {
				s.Log.warn(strings.TrimSuffix(w.Format("warning"), "\n"))
				continue
			}
			fmt.Fprint(s.Stderr, w.Format("warning"))
		}
	}
	if printed && st != nil {
		return s.write(config.Print(st))
	}
	if err := s.sheet(result, "check", checked(st, result, samples)); err != nil {
		return err
	}
	return reported(err)
}

// measure fills in the properties of the space.
func measure(r *check, st *study.Study, n int) ([]space.Configuration, error) {
	seed := uint64(1)
	if st.Seed != nil {
		seed = *st.Seed
	}
	random := rand.New(rand.NewPCG(seed, 0))
	r.Rules = lists.Of(policy.InForce(st), func(rule policy.Rule) string { return rule.Name })
	r.Parameters, r.Branches = st.Space.Len(), len(st.Space.Branches())
	if size, finite := st.Space.Size(); finite {
		_, known := st.Space.Count()
		size = min(size, math.MaxFloat64) // which JSON can write
		r.Size, r.Estimated = &size, !known
	}
	r.FoundBy = st.Space.Methods()
	r.Feasible = new(st.Space.FeasibleFraction(random, feasibleDraws))
	samples, err := st.Space.Sample(random, max(n, 1)) // one at least, to see that there is one
	if err != nil {
		return nil, err
	}
	samples = samples[:n]
	r.Samples = lists.Of(samples, st.Space.JSON)
	return samples, nil
}

// checked is the data of check.tmpl.
func checked(st *study.Study, r check, samples []space.Configuration) map[string]any {
	if st == nil {
		return nil
	}
	shown := lists.Of(samples, func(c space.Configuration) string {
		return strings.Join(report.Args(st.Space.Settings(c)), " ")
	})
	return map[string]any{"r": r, "st": st, "samples": shown, "tree": conditionTree(st.Space),
		"most": math.MaxFloat64, "share": 100 * *r.Feasible, "least": 100.0 / feasibleDraws}
}

// conditionTree lists the parameters, each below the one it depends on (the
// last of its parents in the order of the file), with its condition. It has no rows without conditions.
func conditionTree(s *space.Space) report.Table {
	children := make([][]int, s.Len()+1)
	conditional, t := false, report.TableOf("parameter", "active if")
	for i := range s.Params() {
		above := 0
		for _, p := range s.Parents(i) {
			above = max(above, p+1)
		}
		conditional = conditional || above > 0
		children[above] = append(children[above], i)
	}
	var visit func(above int, indent string)
	visit = func(above int, indent string) {
		for _, i := range children[above] {
			p := s.Param(i)
			t.Row(indent+p.Name, s.Format(p.Condition))
			visit(i+1, indent+"  ")
		}
	}
	if conditional {
		visit(0, "")
	}
	return t
}

// annotations are the texts that GitHub Actions shows beside the lines of a file.
func annotations(found config.Report) []byte {
	var b bytes.Buffer
	add := func(kind string, list []config.Problem) {
		for _, p := range list {
			text := p.Message
			if p.Hint != "" {
				text += "\n" + p.Hint
			}
			b.Write(report.Annotation(kind, p.File, fmt.Sprintf("line=%d,col=%d", max(1, p.Line), max(1, p.Column)), text))
		}
	}
	add("error", found.Errors)
	add("warning", found.Warnings)
	return b.Bytes()
}
