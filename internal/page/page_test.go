package page

import (
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/plot"
	"bohier/internal/report"
)

// example is a page with every part, in which every text is evil, and n trials.
func example(evil string, n int) Page {
	f := plot.Figure{Title: evil, Note: evil, Panels: []plot.Panel{{
		Title: evil, X: plot.Axis{Label: evil}, Y: plot.Axis{Names: []string{evil}},
		Series: []plot.Series{{Label: evil, Kind: plot.Dots, X: []float64{1, 2}, Y: []float64{0, 0}, Trials: []int{1, 2},
			Tips: []string{evil, evil}}},
	}}}
	q := plot.Figure{Panels: []plot.Panel{{Parallel: &plot.Parallel{
		Axes:    []plot.Axis{{Label: evil}, {Label: "y"}},
		Threads: []plot.Thread{{Trial: 1, Tip: evil, At: []float64{1, 2}}, {Trial: 2, At: []float64{2, 1}}},
	}}}}
	p := Page{
		Study: evil, Verdict: Verdict{Name: evil, Value: evil, Sentences: []string{evil}},
		Cards: []report.Card{{Name: evil, Value: evil, Note: evil, Bar: true, Share: 0.5}},
		Best:  &Configuration{Title: evil, Names: []string{evil}, Values: []string{evil}, JSON: evil},
		Figures: []Figure{
			{Title: evil, Question: evil, Plot: f, Height: 400, Narrow: 400, Span: 2},
			{Title: evil, Plot: q, Height: 400, Span: 3},
		},
		Trials: report.Table{Head: []string{"ID", evil}}, Left: evil, Made: evil, Refresh: 5,
		Details: []report.Section{{Title: evil, Text: []string{evil},
			Table: &report.Table{Head: []string{evil}, Rows: [][]string{{evil}}}}},
	}
	for k := range n {
		p.Trials.Rows = append(p.Trials.Rows, []string{fmt.Sprint(k + 1), evil})
		p.Numbers, p.States = append(p.Numbers, k+1), append(p.States, evil)
	}
	return p
}

func drawn(t *testing.T, p Page) string {
	t.Helper()
	return string(p.HTML())
}

var update = flag.Bool("update", false, "rewrite the expected outputs under testdata/golden")

// TestGolden: the page to the byte, but for its script and its styles, which are files of their own.
func TestGolden(t *testing.T) {
	page := example("a < b & c", 2)
	for name, p := range map[string]Page{"page.html": page, "bare.html": {Study: "s", Verdict: page.Verdict}} {
		got := strings.Replace(drawn(t, p), script, "SCRIPT", 1)
		for _, hidden := range []struct{ pattern, with string }{{`(?s)<style>.*?</style>`, "<style>STYLE</style>"},
			{`'sha256-[^']*'`, "'sha256-SUM'"}} {
			got = regexp.MustCompile(hidden.pattern).ReplaceAllString(got, hidden.with)
		}
		file := filepath.Join("testdata", "golden", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (make golden rewrites it): %s", name, diff)
		}
	}
}

// No text becomes markup, style, script or an attribute, and nothing is invisible.
func TestTextsStayTexts(t *testing.T) {
	const evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}</style>\x1b[31m\u202e javascript:1 &amp;"
	text := drawn(t, example(evil, 2))
	body := strings.Replace(text, script, "", 1)
	for _, forbidden := range []string{"<script>alert", "<img", "</style>\x1b", "\x1b", "\u202e", "onerror=alert(1)>{{"} {
		if strings.Contains(body, forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
	if n := strings.Count(body, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if n := strings.Count(body, html.EscapeString("<script>alert(1)</script>")); n < 25 {
		t.Errorf("only %d of the texts are there", n)
	}
}

// The page's own policy lets its script run and nothing else, and nothing in it names another place.
func TestPageLoadsNothing(t *testing.T) {
	text := drawn(t, example("x", 2))
	inside := regexp.MustCompile(`(?s)<script>(.*)</script>`).FindStringSubmatch(text)
	if inside == nil {
		t.Fatal("no script")
	}
	sum := sha256.Sum256([]byte(inside[1]))
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil || !strings.Contains(html.UnescapeString(policy[1]),
		"'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") ||
		!strings.HasPrefix(policy[1], "default-src &#39;none&#39;") {
		t.Errorf("policy %q does not name the script", policy)
	}
	for _, url := range regexp.MustCompile(`https?://[^"' ]*`).FindAllString(text, -1) {
		if url != "http://www.w3.org/2000/svg" {
			t.Errorf("the page names %s", url)
		}
	}
}

// Without its script the page still has pictures, the table, and looks for a newer one; a finished one does not.
func TestPageWithoutScript(t *testing.T) {
	p := example("x", 3)
	text := strings.Replace(drawn(t, p), script, "", 1)
	for want, n := range map[string]int{
		`<svg class="p"`: 3, `data-t="1 2"`: 2, `<tr data-t=`: 3, `<th scope="col"`: 3, `role="img" aria-label=`: 3,
		`<noscript><meta http-equiv="refresh" content="5">`: 1,
		`<html lang="en" data-refresh="5">`:                 1, `data-x="`: 3,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%d of %s, want %d", got, want, n)
		}
	}
	p.Refresh = 0
	if text := strings.Replace(drawn(t, p), script, "", 1); strings.Contains(text, "refresh") {
		t.Error("a finished page looks for a newer one")
	}
	if text := drawn(t, Page{Study: "empty"}); !strings.Contains(text, "<h1>empty</h1>") ||
		strings.Contains(text, "<table") {
		t.Error("an empty page")
	}
}
