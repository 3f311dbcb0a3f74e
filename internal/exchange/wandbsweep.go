package exchange

import (
	"cmp"
	"math"
	"strings"

	"bohier/internal/config"
	"bohier/internal/lists"
	"bohier/internal/study"
)

// wandb reads a sweep of Weights & Biases. Nested parameters get dotted names.
func (c *converter) wandb(root config.Node) {
	c.Name = root.Get("name").Text()
	metric := root.Get("metric")
	o := config.DraftObjective{Name: metric.Get("name").Text(), Direction: metric.Get("goal").Text()}
	if o.Direction != "" && o.Direction != "minimize" && o.Direction != "maximize" {
		metric.Get("goal").Errorf("", "the goal is minimize or maximize, not %q", o.Direction)
	}
	if v, ok := metric.Get("target").Number("target"); ok {
		o.Target = &v
	}
	c.Objectives = []config.DraftObjective{o}
	objective := cmp.Or(o.Name, "objective")
	if m := root.Get("method"); m.Text() == "grid" || m.Text() == "random" {
		m.Warnf("", "method: %s is left out: the search is by a model", m.Text())
	}
	c.wandbFidelity(root.Get("early_terminate"), objective)
	c.Budget.Trials = root.Get("run_cap").Count("run_cap")
	list := root.Get("parameters")
	if !list.IsMap() {
		root.Errorf("", `there is no mapping "parameters"`)
		return
	}
	c.wandbParameters("", list)
	c.wandbCommand(root, objective)
}

// wandbFidelity turns an early end by brackets into a fidelity. W&B counts the values that were logged. It judges them
// at min_iter, eta·min_iter and so on or, with max_iter, at max_iter/eta and so on, s times.
func (c *converter) wandbFidelity(early config.Node, objective string) {
	if early.Absent() {
		return
	}
	number := func(name string, usual int) int {
		if n := early.Get(name); !n.Absent() {
			return n.Count("early_terminate." + name)
		}
		return usual
	}
	low, high, eta := number("min_iter", 0), number("max_iter", 0), number("eta", 3)
	if s := number("s", 1); low == 0 && high > 0 && eta > 1 {
		low = max(1, int(math.Round(float64(high)/math.Pow(float64(eta), float64(s)))))
	}
	if kind := early.Get("type").Text(); kind != "hyperband" || high <= low {
		early.Warnf("name the full resource: fidelity: {name: iterations, low: 3, high: 81}",
			"early_terminate is left out: it names no max_iter")
		return
	}
	c.Fidelity = &config.DraftFidelity{Name: "iterations", Low: float64(low), High: float64(high), Eta: float64(eta)}
	early.Warnf(`it prints {"iterations": 3, "`+objective+`": 0.3} after each, and ends early where it gets TERM`,
		"the command must count iterations")
}

// wandbCommand turns the command of a sweep, or the one that goes with a program, into arguments with placeholders.
func (c *converter) wandbCommand(root config.Node, objective string) {
	program, at := root.Get("program"), root.Get("command")
	parts := []string{"${env}", "${interpreter}", "${program}", "${args}"}
	switch {
	case !at.Absent() && !at.IsList():
		at.Errorf("", "command must be a list, not a %s", at.Kind())
		return
	case !at.Absent():
		parts = lists.Of(at.Items(), config.Node.Text)
	case program.Absent():
		return
	default:
		at = program
	}
	c.Command = []string{}
	for k, part := range parts {
		switch part {
		case "${env}":
			if k+1 < len(parts) {
				c.Command = append(c.Command, "/usr/bin/env")
			}
		case "${interpreter}":
			c.Command = append(c.Command, "python")
		case "${program}":
			if program.Absent() {
				at.Errorf("name it: program: train.py", "the command needs a program, and the sweep has none")
			}
			c.Command = append(c.Command, program.Text())
		case "${args}", "${args_no_boolean_flags}":
			c.wandbArguments("--")
		case "${args_no_hyphens}":
			c.wandbArguments("")
		case "${args_json}", "${args_json_file}":
			if last := len(c.Command) - 1; last > 0 && strings.HasPrefix(c.Command[last], "-") && c.Command[last] != "-u" {
				c.Command, part = c.Command[:last], c.Command[last]+" "+part // its option goes with it
			}
			at.Warnf("the command finds the values in the JSON file named by BOHIER_PARAMS, and in BOHIER_P_NAME",
				"%s is left out of the command", part)
		default:
			if names := study.ParseTemplate(part, nil).Names(); len(names) > 0 { // bohier would take it for a parameter
				at.Items()[k].Errorf("compute it in the program", "${%s} has no counterpart in a command", names[0])
			}
			c.Command = append(c.Command, part)
		}
	}
	c.src.Warnf(`the command must print %s, as its last number or in a line such as {"%[1]s": 0.3}; wandb.log is not read`, objective)
}

// wandbArguments adds an argument for each parameter.
func (c *converter) wandbArguments(prefix string) {
	c.Command = append(c.Command, lists.Of(c.Params, func(p *config.DraftParam) string {
		return prefix + p.Name + "={" + p.Name + "}"
	})...)
}

func (c *converter) wandbParameters(prefix string, list config.Node) {
	for _, m := range list.Members() {
		name := prefix + m.Name
		if !m.Value.IsMap() {
			m.Value.Errorf("", "a parameter is a mapping, not a %s", m.Value.Kind())
		} else if nested := m.Value.Get("parameters"); nested.IsMap() {
			c.wandbParameters(name+".", nested)
		} else if p := c.param(m.Key, name); p != nil {
			c.wandbParameter(p, m.Value)
		}
	}
}

func (c *converter) wandbParameter(p *config.DraftParam, n config.Node) {
	kind := n.Get("distribution").Text()
	switch {
	case n.Has("value"):
		kind = "constant"
	case n.Has("values"):
		kind = "categorical"
	case kind == "" && n.Get("min").IsWhole() && n.Get("max").IsWhole():
		kind = "int_uniform"
	case kind == "":
		kind = "uniform"
	}
	c.parameter(p, kind, n, n)
}
