package journal

import (
	"context"
	"fmt"

	"bohier/internal/study"
)

// A MergeReport says what Merge brought in.
type MergeReport struct {
	Added     int      // trials that were unknown here
	Observed  int      // outcomes of trials known here
	Conflicts []string // trials with different outcomes here and there; ours stay
}

// Merge brings the trials of another journal into the one of o: of a copy that
// was continued elsewhere, what happened since the two parted; of another
// study with the same space, everything. Trials get new numbers here; their old
// ids are still understood. Merging again adds nothing.
func Merge(ctx context.Context, o Options, other string) (*MergeReport, error) {
	theirs, _, err := Read(ctx, Options{Path: other, fs: o.fs, clock: o.clock})
	if err != nil {
		return nil, err
	}
	if !theirs.Exists {
		return nil, study.Errorf(study.Usage, "", "there is no journal %s", other)
	}
	var rep *MergeReport
	_, err = Update(ctx, o, func(s *State) ([]Record, error) {
		rep = &MergeReport{}
		if s.Exists && s.Space != theirs.Space {
			return nil, study.Errorf(study.Mismatch, "Only journals over the same space can be merged.",
				"%s has another space:\n%s", other, indent(diffObjects("space", member(s.Study, "space"), member(theirs.Study, "space"))))
		}
		return s.merge(theirs, rep), nil
	})
	return rep, err
}

// mergeKey is the key under which trial id of another run is known here.
func mergeKey(run, id string) string { return "merge:" + run + ":" + id }

func (s *State) merge(b *State, rep *MergeReport) []Record {
	var recs []Record
	next := s.NextNumber()
	copyOf := b.Header.Run == s.Header.Run
	for i := range b.Trials {
		t := &b.Trials[i]
		if t.State == study.Reserved {
			continue
		}
		var ours *study.Trial
		if copyOf && i < len(s.Trials) && s.Trials[i].Tag == t.Tag && s.Trials[i].State != study.Reserved {
			ours = &s.Trials[i]
		} else {
			ours = s.ByKey(mergeKey(b.Header.Run, t.ID()))
		}
		if ours == nil {
			recs = append(recs, b.added(t, next, s.tag())...)
			next++
			rep.Added++
			continue
		}
		more, conflict := s.reconcile(ours, t, b)
		if conflict {
			rep.Conflicts = append(rep.Conflicts, fmt.Sprintf("trial %s: here %s, there %s", ours.ID(),
				describe(ours.State, ours.Failure, ours.Observation), describe(t.State, t.Failure, t.Observation)))
		}
		if len(more) > 0 && more[0].Kind != KindReturn {
			rep.Observed += len(more)
		}
		recs = append(recs, more...)
	}
	return recs
}

// added is the records that bring trial t of b in under a new number.
func (b *State) added(t *study.Trial, number int, tag string) []Record {
	r := Record{Kind: KindAdd, Trial: number, Tag: tag, Key: mergeKey(b.Header.Run, t.ID()), Source: t.Source,
		Params: b.Params(t.Number), State: t.State, Failure: t.Failure, Values: t.Values, Cost: t.Cost, Stderr: t.Stderr, Note: t.Note}
	if t.State == study.Abandoned {
		r.State = study.Pending
	}
	recs := []Record{r}
	for _, rep := range t.Replicates {
		recs = append(recs, replicate(number, tag, rep))
	}
	if t.Waiting {
		recs = append(recs, returned(&study.Trial{Number: number, Tag: tag}, ""))
	}
	if t.State == study.Abandoned {
		recs = append(recs, Record{Kind: KindAbandon, Trial: number, Tag: tag, Note: t.Note})
	}
	return recs
}

func replicate(number int, tag string, o study.Observation) Record {
	return Record{Kind: KindReplicate, Trial: number, Tag: tag, State: study.Complete, Values: o.Values, Cost: o.Cost, Stderr: o.Stderr}
}

// reconcile brings what b knows about a trial that both have.
func (s *State) reconcile(ours, t *study.Trial, b *State) (recs []Record, conflict bool) {
	told := t.State == study.Complete || t.State == study.Failed
	r := Record{Kind: KindObserve, Trial: ours.Number, Tag: ours.Tag, State: t.State, Failure: t.Failure,
		Values: t.Values, Cost: t.Cost, Stderr: t.Stderr, Note: t.Note}
	switch {
	case !told:
		// A worker has one journal: what it gave back there nobody runs here.
		if t.Waiting && ours.Worker != "" && ours.Worker == t.Worker {
			recs = s.Return([]study.Trial{*ours}, "")
		}
		return recs, false
	case ours.State == study.Pending || ours.State == study.Abandoned:
		if !sameParams(b.Params(t.Number), s.Params(ours.Number)) {
			r.Params = b.Params(t.Number)
		}
		recs = append(recs, r)
	case !s.same(ours, &r):
		return nil, true
	}
	for _, o := range t.Replicates[min(len(ours.Replicates), len(t.Replicates)):] {
		recs = append(recs, replicate(ours.Number, ours.Tag, o))
	}
	return recs, false
}
