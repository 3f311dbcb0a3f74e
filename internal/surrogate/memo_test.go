package surrogate

import (
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// With Fits the same fit is made once, and gives what it gave; any other number, activity or option makes another fit.
func TestFits(t *testing.T) {
	sp, err := space.New([]space.Parameter{{Name: "a", High: 1}, {Name: "b", High: 1}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := &study.Study{Space: sp, Surrogate: study.Surrogate{Kernel: study.Kernel{Name: "arc"}}}
	kernel, err := NewKernel(st, study.ModelSpec{Kernel: "arc"})
	if err != nil {
		t.Fatal(err)
	}
	x := points.New(8, 2)
	y := make([]float64, 8)
	for i := range y {
		u := float64(i) / 7
		x.Set(0, i, u, true)
		x.Set(1, i, math.Mod(3*u, 1), true)
		y[i] = math.Sin(5*u) + u
	}
	ctx, kept, none := t.Context(), &Fits{}, (*Fits)(nil)
	o := gp.Options{Params: gp.Params(kernel, y), Seed: 3, Workers: 1}
	want, wantReport, err := none.fit(ctx, st, "arc", kernel, x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	first, report, err := kept.fit(ctx, st, "arc", kernel, x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(wantReport.Hyper, report.Hyper); d != "" || first == want {
		t.Errorf("keeping changes a fit: %s", d)
	}
	o.Workers = 2
	second, report, err := kept.fit(ctx, st, "arc", kernel, x.Clone(), y, o)
	if err != nil || second != first {
		t.Errorf("fitted again, %v", err)
	}
	if d := cmp.Diff(wantReport.Hyper, report.Hyper); d != "" {
		t.Errorf("something else was kept: %s", d)
	}
	of := fittedTo(st, "arc", x, y, o)
	differ := func(what string, change func(x *points.Set, y []float64, o *gp.Options, st *study.Study)) {
		x, y, o, st := x.Clone(), append([]float64{}, y...), o, *st
		change(x, y, &o, &st)
		if reflect.DeepEqual(fittedTo(&st, "arc", x, y, o), of) {
			t.Errorf("another %s is taken for the same", what)
		}
	}
	differ("point", func(x *points.Set, _ []float64, _ *gp.Options, _ *study.Study) {
		x.Set(0, 3, math.Nextafter(x.At(0, 3), 1), true)
	})
	differ("activity", func(x *points.Set, _ []float64, _ *gp.Options, _ *study.Study) { x.Set(1, 0, 0, false) })
	differ("value", func(_ *points.Set, y []float64, _ *gp.Options, _ *study.Study) { y[7] = math.Nextafter(y[7], 1) })
	differ("seed", func(_ *points.Set, _ []float64, o *gp.Options, _ *study.Study) { o.Seed++ })
	differ("warm start", func(_ *points.Set, _ []float64, o *gp.Options, _ *study.Study) {
		o.Warm.Hyper = map[string]float64{"noise": 0.1}
	})
	differ("prior", func(_ *points.Set, _ []float64, o *gp.Options, _ *study.Study) {
		o.Params = append(o.Params[:0:0], o.Params...)
		o.Params[0].Lo /= 2
	})
	differ("kernel", func(_ *points.Set, _ []float64, _ *gp.Options, st *study.Study) {
		st.Surrogate.Kernel.Embedding = "wedge"
	})

	// No more than mostFits are kept, the newest ones.
	for seed := range uint64(mostFits) {
		o.Seed = 100 + seed
		o.Evaluations = 1
		if _, _, err := kept.fit(ctx, st, "arc", kernel, x, y, o); err != nil {
			t.Fatal(err)
		}
	}
	o.Seed, o.Evaluations = 3, 0
	if again, _, err := kept.fit(ctx, st, "arc", kernel, x, y, o); err != nil || again == first {
		t.Errorf("the oldest fit is still there, %v", err)
	}
}
