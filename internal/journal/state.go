package journal

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A Space is a search space as the journal needs it; *space.Space is one.
type Space interface {
	// AppendJSON appends a configuration as a JSON object: active parameters only.
	AppendJSON(dst []byte, c space.Configuration) []byte
	// ParseJSON reads such an object, with values of fills where it lacks them; an error means it does not fit the space.
	ParseJSON(b []byte, fills ...json.RawMessage) (space.Configuration, error)
	// Proposable reports whether a configuration may be suggested; others may have been measured.
	Proposable(c space.Configuration) error
	// Fingerprint names the space; equal fingerprints mean interchangeable spaces.
	Fingerprint() string
}

// Enqueued is a configuration, perhaps partial, waiting to be proposed.
type Enqueued struct {
	Seq    int // of the enqueue record; suggestions name it
	Key    string
	Params json.RawMessage
	Start  float64 // in a study with a fidelity: the level at which the trial starts; 0: it is straight
}

// A State is the content of a journal, up to record Seq.
type State struct {
	Exists bool
	Run    string          // names this journal and its copies
	Lock   string          // LockPosix or LockLease
	Seq    int             // the last record; 0: none
	Seed   uint64          // in force: the header's, unless a later note changed it
	Space  string          // fingerprint in force
	Study  json.RawMessage // normalised study in force
	Trials []study.Trial   // Trials[k] has number k+1; reserved ones have state Reserved
	Queue  []Enqueued      // waiting, oldest first
	Torn   bool            // an unfinished last line was ignored
	// Warnings are messages for the user: another journal was here, the study changed outside its
	// space, line ends were changed.
	Warnings []string

	evidence   Pos             // the last record that was no suggestion
	lastFit    json.RawMessage // of the newest suggestion that has one
	fidelity   *study.Fidelity // as far as the recorded study says; nil: none
	resource   string          // name and kind of the last one that there was
	objective  string          // its name; before a study is recorded, in the one given
	space      Space
	context    string            // values of another one are data only; empty: none are
	notes      []note            // by trial
	bare       bool              // it has no trials, so nothing asks for their results
	coming     int               // trials for which room is made at once
	gone       int               // so many trials came before those, of a journal that is merged
	fills      []json.RawMessage // by migration
	studies    []json.RawMessage // that were in force
	sums       []uint32          // by record: its checksum
	keys       map[string]keyUse
	enqueued   map[string]json.RawMessage // key → configuration, for ever
	replicated map[string]replicated      // key → the further measurement, for ever
	seen       int                        // nobody but the state has trials with higher numbers yet
	held       func(number int) bool      // whether another process computes a trial; nil: no
	lent       *atomic.Int32              // how many others hold the trials and whatever else is shared; nil: nobody
	options    *Options                   // it was read with these; source of tags
}

// A keyUse is the trial that a key asked for.
type keyUse struct {
	number int
	lent   bool // a further key, given when a waiting trial was taken or a trial got a further leg
	leg    int  // that the trial got with a lent key; 0: none
}

// A replicated is a further measurement that has a key.
type replicated struct {
	trial int // its number
	at    int // how many further measurements it had then
	study.Observation
}

// A note holds the state's facts about a trial beside the trial itself. There are very many.
type note struct {
	params     json.RawMessage // its configuration as journaled
	more       *particulars    // never nil
	configured int32           // the record that gave params
	epoch      int32           // migrations that came before params
	study      int32           // the number of studies in force up to its suggestion; 0: it was not suggested
	changed    bool            // since the last configure
	unparsed   bool            // params are not in Config yet
	straight   bool            // it has the leg that straight gave it
	foreign    bool            // the resources of its course are those of another fidelity
}

// Particulars are facts that few notes have. States share them.
type particulars struct {
	proposed json.RawMessage // the proposed configuration, if another one ran
	plan     json.RawMessage // the plan of its suggestion; nil: not recorded
	fit      json.RawMessage // its kept fits; nil: none
	fitted   int             // the record that gave fit
	log      history         // of more than one measurement
	was      study.State     // before another full resource changed it; programs that left it so wrote records for it
	served   *Enqueued       // the queue entry that it serves
}

// blank is the note of a trial that has no configuration.
func blank() note { return note{more: &none} }

var none particulars

// set changes the particulars.
func (n *note) set(change func(p *particulars)) {
	p := *n.more
	change(&p)
	n.more = &p
}

func newState(o *Options) *State {
	given := readStudy(o.Study)
	return &State{space: o.Space, context: given.Context, objective: given.Objective.Name, options: o, bare: o.bare,
		coming: o.Coming, keys: map[string]keyUse{},
		enqueued: map[string]json.RawMessage{}, replicated: map[string]replicated{}}
}

// expect makes room for the trials of a journal, within bounds, so that a long one is not moved again and again as it
// is read: the records that its size allows, and trials up to the highest number at its end.
func (s *State) expect(src *source) {
	if s.Seq > 0 {
		return
	}
	records := min(src.size/200, 1<<20) // a short line has 150 bytes
	if records < 200 {
		return
	}
	end := make([]byte, min(src.size, 16<<10))
	n, _ := src.r.ReadAt(end, src.size-int64(len(end))) // a read error is reported later
	trials := 0
	for _, after := range strings.Split(string(end[:n]), `"trial":`)[1:] {
		number, _, _ := strings.Cut(after, ",")
		v, _ := strconv.Atoi(number)
		trials = min(max(trials, v), int(records))
	}
	if s.sums = make([]uint32, 0, records); s.bare {
		return
	}
	trials += max(room, min(s.coming, trials/2))
	s.Trials, s.notes = make([]study.Trial, 0, trials), make([]note, 0, trials)
}

// room is for how many more trials a state has room, so that the next ones do not move all.
const room = 16

func withRoom[T any](s []T) []T { return append(make([]T, 0, len(s)+room), s...) }

// Expect prepares for up to so many more trials: room for them is made at once, when the first comes for
// which there is none.
func (s *State) Expect(n int) { s.coming = n }

// show notes that callers may have all trials from now on.
func (s *State) show() { s.seen = s.NextNumber() - 1 }

// NextNumber is the number the next new trial gets.
func (s *State) NextNumber() int { return s.gone + len(s.Trials) + 1 }

// noteOf is the note on a trial, an empty one where there is no such trial.
func (s *State) noteOf(number int) *note {
	if k := number - s.gone; k >= 1 && k <= len(s.notes) {
		return &s.notes[k-1]
	}
	n := blank()
	return &n
}

// Params is the configuration of trial number as the journal holds it, with active parameters only; nil for a reserved
// trial. For a trial outside today's space it is the only faithful form.
func (s *State) Params(number int) json.RawMessage { return s.noteOf(number).params }

// In gives the state another space, in which its configurations are read again, and the
// context of a study that was recorded; nil: it stays in the one it has.
func (s *State) In(sp Space, recorded json.RawMessage) {
	s.own()
	if now := readStudy(recorded).Context; recorded != nil && now != s.context {
		s.context = now
		s.changed()
	}
	if sp != nil && (s.space == nil || sp.Fingerprint() != s.space.Fingerprint()) {
		s.space = sp
		s.unparse()
	}
	s.configure()
}

// Pending lists the trials that wait for an observation, by number.
func (s *State) Pending() []*study.Trial { return study.In(study.Pending, s.Trials) }

// Number is the trial with a number, nil if there is none.
func (s *State) Number(n int) *study.Trial {
	if k := n - s.gone; k >= 1 && k <= len(s.Trials) {
		return &s.Trials[k-1]
	}
	return nil
}

// Held reports, within a decision of Update, whether another process holds a number.
func (s *State) Held(number int) bool { return s.held != nil && s.held(number) }

// ByKey is the trial with an idempotency key, nil if there is none.
func (s *State) ByKey(key string) *study.Trial {
	return s.Number(s.keys[key].number)
}

// changed has every trial looked at again by configure.
func (s *State) changed() {
	for i := range s.notes {
		s.notes[i].changed = true
	}
}

// unparse has every configuration parsed again by configure.
func (s *State) unparse() {
	s.changed()
	for i := range s.notes {
		s.notes[i].unparsed = s.notes[i].params != nil
	}
}

// configure parses the configurations of changed trials that have not been parsed yet, and marks as
// Outside trials that were measured under another context, or that do not fit today's space even with
// the values migrations gave to new parameters.
func (s *State) configure() {
	if s.space == nil {
		return
	}
	var room []byte
	for i := range s.notes {
		n, t := &s.notes[i], &s.Trials[i]
		if !n.changed {
			continue
		}
		n.changed = false
		misfit := t.Outside && !t.Stale
		if n.unparsed {
			misfit = !s.parse(n, t, &room)
		}
		t.Stale = !misfit && s.context != "" && !t.MeasuredUnder(s.context)
		t.Outside = misfit || t.Stale
		t.Forbidden = misfit && t.Config.Active != nil && (s.context == "" || t.MeasuredUnder(s.context))
	}
}

// parse gives a trial its configuration, or its values as they were recorded where they do not fit. room is for a text.
func (s *State) parse(n *note, t *study.Trial, room *[]byte) (fits bool) {
	n.unparsed, t.Own = false, nil
	c, err := s.space.ParseJSON(n.params)
	for k := int(n.epoch); err != nil && k < len(s.fills); k++ {
		c, err = s.space.ParseJSON(n.params, s.fills[n.epoch:k+1]...)
	}
	if err != nil {
		t.Own = space.RecordedSettings(n.params)
	} else if *room = s.space.AppendJSON((*room)[:0], c); !bytes.Equal(*room, n.params) {
		t.Own = respelled(n.params, *room)
	}
	if _, wrong := space.Broken(err); wrong != nil {
		c = space.Configuration{}
	}
	t.Config = c
	return err == nil
}

// respelled are the settings that were recorded with another text than today's space writes, such as 1.1 for 1.10.
func respelled(recorded, today []byte) (out []space.Setting) {
	var room [2][16]text
	now := texts(today, room[0][:0])
	differs := func(name, value []byte) bool { v := find(now, name); return v != nil && !sameText(v, value) }
	if slices.ContainsFunc(texts(recorded, room[1][:0]), func(m text) bool { return differs(m.name, m.value) }) {
		out = space.RecordedSettings(recorded)
	}
	return slices.DeleteFunc(out, func(v space.Setting) bool { return !differs([]byte(v.Name), v.JSON) })
}

// setParams gives trial number a configuration; b is copied.
func (s folding) setParams(number int, b []byte) {
	n := s.noteOf(number)
	n.params, n.unparsed, n.epoch, n.configured = slices.Clone(b), true, int32(len(s.fills)), int32(s.Seq+1)
}

// Trial finds a trial by its name for users: a number, "7", or number and tag, "7-k3f9". With a tag the result can
// never be another copy's trial 7. The error is a study.Conflict.
func (s *State) Trial(id string) (*study.Trial, error) {
	id = strings.TrimSpace(id)
	number, tag, tagged := strings.Cut(id, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || tagged && tag == "" || number != strconv.Itoa(n) {
		return nil, study.Errorf(study.Conflict, "A trial is named like 7 or 7-k3f9.", "%q is not a trial", id)
	}
	t := s.Number(n)
	if t != nil && t.State == study.Reserved {
		t = nil
	}
	if t != nil && (!tagged || t.Tag == tag) {
		return t, nil
	}
	hint, instead := "`bohier trials` lists the trials.", ""
	if tagged {
		if m := s.ByKey(mergeKey(s.Run, id)); m != nil {
			return m, nil
		}
		hint = "The id comes from another copy of the journal, or from before it was rolled back. " + hint
	}
	if t != nil {
		instead = "; trial " + number + " here is " + t.ID()
	}
	return nil, study.Errorf(study.Conflict, hint, "there is no trial %s%s", id, instead)
}

// own is the trial that has an id, number and tag, in this journal or in a copy merged into it; nil if there is none.
func own(s *State, id string) *study.Trial {
	if t, err := s.Trial(id); err == nil && strings.Contains(id, "-") {
		return t
	}
	return nil
}
