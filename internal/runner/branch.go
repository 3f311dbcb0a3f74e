package runner

import (
	"math"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A metric measures distances between encoded points as a Neighbour has them.
type metric struct {
	places [][]float64 // per coordinate: of ordered levels in [0, 1]; nil: none
	choice []bool      // per coordinate: levels without an order
}

func newMetric(s *space.Space) metric {
	var m metric
	for _, i := range s.Coordinates() {
		m.places = append(m.places, s.LevelPositions(i))
		m.choice = append(m.choice, s.Param(i).Levels() > 0)
	}
	return m
}

// distance is that between points i of x and j of y.
func (m metric) distance(x *points.Set, i int, y *points.Set, j int) float64 {
	sum := 0.0
	for c, place := range m.places {
		at, to := x.Active(c, i), y.Active(c, j)
		if at != to {
			sum++
		}
		if !at || !to {
			continue
		}
		u, v := x.At(c, i), y.At(c, j)
		switch {
		case place != nil:
			u, v = place[int(u)], place[int(v)]
		case m.choice[c] && u != v:
			u, v = 0, 1
		}
		sum += (u - v) * (u - v)
	}
	return math.Sqrt(sum)
}

// nearest is the trial nearest to conf among those tried, refused or pending,
// but for the one with that number; nil: there is none.
func nearest(s *space.Space, trials []study.Trial, number int, conf space.Configuration) *Neighbour {
	var best *Neighbour
	m, here := newMetric(s), s.EncodeAll([]space.Configuration{conf})
	for k := range trials {
		t := &trials[k]
		tried := t.State == study.Complete || t.State == study.Failed || t.State == study.Pending
		if !tried || t.Outside || t.Number == number {
			continue
		}
		there := s.EncodeAll([]space.Configuration{t.Config})
		if d := m.distance(there, 0, here, 0); best == nil || d < best.Distance {
			best = &Neighbour{*t, d}
		}
	}
	return best
}
