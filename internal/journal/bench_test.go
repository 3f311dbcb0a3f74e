package journal

import (
	"fmt"
	"testing"

	"bohier/internal/study"
)

// grown is the bytes of a journal of n observed trials, with the fit of a model in every tenth suggestion.
func grown(t testing.TB, n int) []byte {
	o := options(t).defaults()
	w := newState(&o)
	var out []byte
	put := func(r Record) {
		r.Seq, r.At = w.Seq+1, "2026-01-02T03:04:05.678Z"
		if w.Seq > 0 {
			r.Prev = w.sums[w.Seq-1]
		}
		var err error
		if out, err = appendRecord(out, &r, false); err != nil {
			t.Fatal(err)
		}
		must(t, w.fold(&r))
	}
	put(Record{Kind: KindHeader, Bohier: formatOf(o.Study), MinReader: formatOf(o.Study), Run: "run", Lock: LockPosix,
		Seed: o.Seed, Space: o.Space.Fingerprint(), Study: o.Study})
	for i := 1; i <= n; i++ {
		r := Record{Kind: KindSuggest, Trial: i, Tag: "k3f9", Params: o.Space.AppendJSON(nil, at(float64(i)/7)),
			Source: "model", From: w.Seq}
		if i%10 == 0 {
			for k := range 12 {
				r.Fit = fmt.Appendf(r.Fit, `,"arc.omega[p%d]":%v`, k, float64(i)/float64(k+3))
			}
			r.Fit = append(append([]byte{'{'}, r.Fit[1:]...), '}')
		}
		put(r)
		put(Record{Kind: KindObserve, Trial: i, Tag: "k3f9", State: "complete",
			Values: study.Values{{Name: "loss", Value: 1 / float64(i)}}})
	}
	return out
}

// A journal is read into memory of the right size: its trials are not moved.
func TestRoomForWhatIsRead(t *testing.T) {
	t.Parallel()
	o := options(t)
	write(t, o.Path, grown(t, 500))
	kept := o
	kept.Memory = &Memory{}
	for _, o := range []Options{o, kept} { // and the next ones do not move them
		if s := read(t, o); cap(s.Trials) < 510 || cap(s.Trials) > 550 || cap(s.notes) < 510 || cap(s.sums) < len(s.sums) {
			t.Errorf("room for %d of %d trials", cap(s.Trials), len(s.Trials))
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10000, 100000} {
		o := options(b)
		write(b, o.Path, grown(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if s := read(b, o); len(s.Trials) != n {
					b.Fatal(len(s.Trials))
				}
			}
		})
	}
}
