package orders

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// Three treatments, of which the last is always worst and the first two share the lead.
func example(n int) *Order {
	var blocks [][]float64
	for k := range n {
		blocks = append(blocks, []float64{float64(9 + k%3), 5, float64(4 + 2*(k%2))})
	}
	return New([]string{"slow", "even", "odd"}, blocks)
}

func TestOrder(t *testing.T) {
	o := example(40)
	if got, want := o.String(), "even 1.50 ≤ odd 1.50 < slow 3.00"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !o.Ahead("odd", "slow") || o.Ahead("slow", "odd") || !o.Differ("slow", "even") || o.Differ("even", "odd") ||
		o.Differences() != 2 {
		t.Errorf("differences of %v", o)
	}
	if o.Place("slow") != 3 || o.Place("absent") != 0 || o.Blocks != 40 || !(o.P < 1e-6) {
		t.Errorf("%+v", o)
	}
	if o := example(3); o.Differences() != 0 {
		t.Errorf("three blocks prove %d differences", o.Differences())
	}
	if o := example(1); o.Names != nil || o.Ahead("odd", "slow") {
		t.Errorf("one block: %+v", o)
	}
}

// A difference that a path implies is not drawn.
func TestEdges(t *testing.T) {
	var blocks [][]float64
	for range 40 {
		blocks = append(blocks, []float64{1, 2, 3})
	}
	o := New([]string{"a", "b<c", "d"}, blocks)
	if e := o.edges(); len(e) != 2 || o.Differences() != 3 {
		t.Errorf("edges %v of %d differences", e, o.Differences())
	}
	if e := example(40).edges(); len(e) != 2 {
		t.Errorf("edges %v of even and odd", e)
	}
	picture := string(SVG([]string{"one", "two & three"}, []*Order{o, example(40)}))
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, picture)
		}
	}
	if n := strings.Count(picture, `class="e"`); n != 4 || !strings.Contains(picture, "b&lt;c") {
		t.Errorf("%d arrows:\n%s", n, picture)
	}
}
