package journal

import (
	"encoding/json"
	"fmt"
	"testing"

	"bohier/internal/study"
)

func upTo(high float64) json.RawMessage {
	return fmt.Appendf(nil, `{"objective":{"name":"loss"},"fidelity":{"name":"epochs","levels":[1,3,%v],"resume":true}}`,
		high)
}

// Programs that gave a pending trial no leg, and left states as they were when the full
// resource changed, wrote records for what they knew: their journals are whole.
func TestCurvesOfOlderPrograms(t *testing.T) {
	t.Parallel()
	loss := study.Values{{Name: "loss", Value: 0.5}}
	outcome := func(r Record) Record {
		r.Trial, r.Tag = 1, "k3f9"
		return r
	}
	x := json.RawMessage(`{"x":0.25}`)
	suggest := outcome(Record{Kind: KindSuggest, Params: x, Source: "design", Start: 1, To: 1})
	elsewhere := outcome(Record{Kind: KindAdd, Params: x, Source: "design", Start: 1, State: study.Pending})
	pause := func(at float64, leg int) Record {
		return outcome(Record{Kind: KindReport, Leg: leg, Resource: at, State: study.Paused, Verdict: study.VerdictPause,
			Values: loss})
	}
	done := outcome(Record{Kind: KindReport, Leg: 1, Resource: 9, State: study.Complete, Verdict: study.VerdictDone,
		Values: loss})
	first := outcome(Record{Kind: KindPromote, Leg: 1, To: 3})
	migrate := func(high float64) Record { return Record{Kind: KindMigrate, Study: upTo(high)} }
	for _, c := range []struct {
		name  string
		high  float64
		recs  []Record
		state study.State
		legs  int
	}{
		{"measured again after more epochs", 9, []Record{suggest, done, migrate(27),
			outcome(Record{Kind: KindReplicate, State: study.Complete, Values: loss})}, study.Paused, 1},
		{"failed after fewer epochs", 27, []Record{suggest, pause(9, 1), migrate(9),
			outcome(Record{Kind: KindObserve, Leg: 1, State: study.Failed, Failure: study.Infeasible})}, study.Failed, 1},
		{"promoted to a first leg after a return", 9,
			[]Record{elsewhere, outcome(Record{Kind: KindReturn}), pause(1, 0), first}, study.Pending, 1},
		{"promoted to a first leg after a change", 9,
			[]Record{elsewhere, {Kind: KindNote, Study: upTo(9)}, pause(1, 0), first}, study.Pending, 1},
		{"promoted from a leg to the full resource", 9, []Record{elsewhere, outcome(Record{Kind: KindReturn}), pause(1, 1),
			outcome(Record{Kind: KindPromote, Leg: 2, To: 3})}, study.Pending, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t).defaults()
			s := newState(&o)
			header := Record{Kind: KindHeader, MinReader: Version, Lock: LockPosix, Seed: o.Seed, Space: o.Space.Fingerprint(),
				Study: upTo(c.high)}
			for k, r := range append([]Record{header}, c.recs...) {
				if r.Seq = k + 1; r.Kind == KindMigrate {
					r.Space = o.Space.Fingerprint()
				}
				if err := s.fold(&r); err != nil {
					t.Fatalf("record %d: %v", r.Seq, err)
				}
			}
			if got := s.Trials[0]; got.State != c.state || got.Course.Leg() != c.legs {
				t.Errorf("%s in leg %d", got.State, got.Course.Leg())
			}
		})
	}
	o := options(t).defaults()
	s := newState(&o)
	for k, r := range []Record{
		{Kind: KindHeader, MinReader: Version, Lock: LockPosix, Seed: o.Seed, Study: upTo(9)},
		suggest, pause(1, 1), first, // a leg that was recorded is not the first again
	} {
		r.Seq = k + 1
		if err := s.fold(&r); (err != nil) != (k == 3) {
			t.Errorf("record %d: %v", r.Seq, err)
		}
	}
}

// Further measurements of a trial are of the full resource of then: they stay while the trial has not got further.
func TestFurtherMeasurementsOfAnotherFullResource(t *testing.T) {
	t.Parallel()
	loss := study.Values{{Name: "loss", Value: 0.5}}
	o := options(t).defaults()
	s := newState(&o)
	for k, c := range []struct {
		Record
		further int
	}{
		{Record{Kind: KindHeader, MinReader: Version, Lock: LockPosix, Seed: o.Seed, Study: upTo(9)}, 0},
		{Record{Kind: KindSuggest, Params: json.RawMessage(`{"x":0.25}`), Start: 1, To: 9}, 0},
		{Record{Kind: KindReport, Leg: 1, Resource: 9, State: study.Complete, Verdict: study.VerdictDone, Values: loss}, 0},
		{Record{Kind: KindReplicate, State: study.Complete, Values: loss}, 1},
		{Record{Kind: KindMigrate, Study: upTo(27)}, 1},
		{Record{Kind: KindPromote, Leg: 2, To: 27}, 1},
		{Record{Kind: KindReport, Leg: 2, Resource: 27, State: study.Complete, Verdict: study.VerdictDone, Values: loss}, 0},
	} {
		if c.Seq = k + 1; k > 0 {
			c.Trial, c.Tag = 1, "k3f9"
		}
		must(t, s.fold(&c.Record))
		if len(s.Trials) > 0 && len(s.Trials[0].Replicates) != c.further {
			t.Errorf("after record %d: %d further measurements, not %d", c.Seq, len(s.Trials[0].Replicates), c.further)
		}
	}
}

// A trial that was complete under another fidelity stays complete: its resources compare with
// none of now. Those of the same one are judged by its new range, where a paused trial may have the full resource.
func TestAnotherFidelity(t *testing.T) {
	t.Parallel()
	fidelity := func(text string) json.RawMessage {
		return fmt.Appendf(nil, `{"objective":{"name":"loss"},"fidelity":%s}`, text)
	}
	epochs := fidelity(`{"name":"epochs","levels":[1,3,27]}`)
	for name, c := range map[string]struct {
		first json.RawMessage
		then  []json.RawMessage
		state study.State
	}{
		"more of it":   {fidelity(`{"name":"epochs","levels":[0.1,1]}`), []json.RawMessage{epochs}, study.Paused},
		"another name": {fidelity(`{"name":"share","levels":[0.1,1]}`), []json.RawMessage{epochs, epochs}, study.Complete},
		"after a break": {fidelity(`{"name":"share","levels":[0.1,1]}`),
			[]json.RawMessage{json.RawMessage(`{"objective":{"name":"loss"}}`), epochs}, study.Complete},
		"another kind": {fidelity(`{"name":"epochs","levels":[0.1,1]}`),
			[]json.RawMessage{fidelity(`{"name":"epochs","levels":[1,5],"kind":"folds"}`)}, study.Complete},
		"less of it": {epochs, []json.RawMessage{fidelity(`{"name":"epochs","levels":[0.1,1]}`)}, study.Complete},
	} {
		o := options(t).defaults()
		s := newState(&o)
		recs := []Record{
			{Kind: KindHeader, MinReader: Version, Lock: LockPosix, Seed: o.Seed, Study: c.first},
			{Kind: KindSuggest, Trial: 1, Tag: "k3f9", Params: json.RawMessage(`{"x":0.25}`), Start: 1, To: 1},
			{Kind: KindReport, Trial: 1, Tag: "k3f9", Leg: 1, Resource: 1, State: study.Complete, Verdict: study.VerdictDone,
				Values: study.Values{{Name: "loss", Value: 0.5}}},
		}
		if name == "less of it" {
			recs[2].State, recs[2].Verdict = study.Paused, study.VerdictPause
		}
		for _, text := range c.then {
			recs = append(recs, Record{Kind: KindMigrate, Study: text})
		}
		for k, r := range recs {
			r.Seq = k + 1
			if err := s.fold(&r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if got := s.Trials[0].State; got != c.state {
			t.Errorf("%s: %s", name, got)
		}
	}
}
