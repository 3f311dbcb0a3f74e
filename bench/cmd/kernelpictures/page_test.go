package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bohier/internal/config"
	"bohier/internal/kernels"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

func page(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../../docs/kernels.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// blocks are the fenced parts of a page in one language.
func blocks(text, language string) []string {
	var out []string
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			out = append(out, m[2])
		}
	}
	return out
}

func load(t *testing.T, text string) *study.Study {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	st, found := config.Load(file, config.Options{Words: suggest.Names()})
	if err := found.Err(); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return st
}

// Every study of the page is read, and its kernel made with its hyperparameters.
func TestStudiesOfThePage(t *testing.T) {
	base, checked := "", 0
	for _, text := range blocks(page(t), "yaml") {
		switch {
		case base == "":
			base = text
		case strings.HasPrefix(text, "surrogate:"):
			text = base + text
		}
		st := load(t, text)
		for _, p := range strings.Split(strings.Join(blocks(page(t), "json"), ""), "\n") {
			c, err := st.Space.ParseJSON([]byte(p))
			if err != nil {
				continue // of the other study
			}
			if _, err := runner.Gram(st, nil, []space.Configuration{c}); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
			checked++
		}
	}
	if checked < 30 {
		t.Errorf("only %d kernels made", checked)
	}
}

// The matrix of the page is the program's.
func TestMatrixOfThePage(t *testing.T) {
	yaml := blocks(page(t), "yaml")
	st := load(t, yaml[0]+yaml[len(yaml)-1])
	var confs []space.Configuration
	for _, line := range strings.Split(strings.TrimSpace(blocks(page(t), "json")[0]), "\n") {
		c, err := st.Space.ParseJSON([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		confs = append(confs, c)
	}
	gram, err := runner.Gram(st, nil, confs)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range gram {
		for _, v := range row {
			got = append(got, fmt.Sprintf("%.6g", v))
		}
	}
	want := strings.Fields(blocks(page(t), "text")[0])
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the matrix is %v, the page has %v", got, want)
	}
}

// The page names every kernel, base function, distance and hyperparameter.
func TestPageIsComplete(t *testing.T) {
	text := page(t)
	names := append(kernels.Names(), kernels.Bases()...)
	coords := []kernels.Coord{
		{Name: "p"}, {Name: "q", Conditional: true, Ancestors: []int{0}}, {Name: "r", Levels: 3},
		{Name: "s", Levels: 3, Conditional: true, Ancestors: []int{0}},
	}
	params := map[string]bool{}
	for _, name := range kernels.Names() {
		for _, s := range []kernels.Spec{{}, {Warp: true}, {Weights: "ancestors"}, {Combine: "sum"}} {
			s.Name, s.ARD = name, true
			c := coords
			if name == "lap" || name == "dif" {
				c = coords[2:3]
			}
			k, err := kernels.New(s, c)
			if err != nil {
				continue // an option of other kernels
			}
			for _, p := range k.Params() {
				full := p.Name
				for _, copied := range map[string][]string{"mix": {"sum.", "product."}, "effects": {"own."}}[name] {
					full = strings.TrimPrefix(full, copied) // said of both copies at once
				}
				stem, in, bracket := strings.Cut(full, "[")
				if bracket && strings.Trim(in, "0123456789]") != "" {
					stem += "["
				}
				params[stem] = true
			}
		}
	}
	if len(params) < 25 {
		t.Fatalf("only %d hyperparameters: %v", len(params), params)
	}
	for p := range params {
		names = append(names, p)
	}
	for _, name := range names {
		if !strings.Contains(text, "`"+name) && !strings.Contains(text, name+":") {
			t.Errorf("the page does not mention %s", name)
		}
	}
	if !strings.Contains(text, "(img/"+picture+")") {
		t.Errorf("the page does not show %s", picture)
	}
}

var decimal = regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]\d+)?`)

// The picture in docs/img is what the command draws, to a tenth of a pixel.
func TestPictureIsCurrent(t *testing.T) {
	dir := t.TempDir()
	if err := draw(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, picture))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("../../../docs/img", picture))
	if err != nil {
		t.Fatal(err)
	}
	a, b := decimal.FindAll(got, -1), decimal.FindAll(want, -1)
	if decimal.ReplaceAllString(string(got), "") != decimal.ReplaceAllString(string(want), "") || len(a) != len(b) {
		t.Fatalf("%s is not current: go run ./bench/cmd/kernelpictures", picture)
	}
	for k := range a {
		v, _ := strconv.ParseFloat(string(a[k]), 64)
		w, _ := strconv.ParseFloat(string(b[k]), 64)
		if !(math.Abs(v-w) <= 0.1) {
			t.Fatalf("%s: number %d is %v, was %v", picture, k, v, w)
		}
	}
}
