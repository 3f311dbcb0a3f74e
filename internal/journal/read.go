package journal

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// Read folds the journal into a State. It takes no lock, needs no write permission and changes nothing; a missing file
// is a State that does not Exist. The strings are warnings.
func Read(ctx context.Context, o Options) (*State, []string, error) {
	if s := o.Supposed; s != nil {
		return s, s.Warnings, nil
	}
	o = o.defaults()
	// A reader sees a writer's file grow, and a repair shrink it; lines that look damaged are read again.
	for try := 0; ; try++ {
		s, err := o.readOnce(ctx)
		switch final := !study.HasCode(err, study.Damaged) || try == 2; {
		case final && s == nil:
			return nil, nil, err
		case final:
			return s, s.Warnings, err
		}
		if err := o.clock.Sleep(ctx, 20*time.Millisecond); err != nil {
			return nil, nil, interrupted(&o, err)
		}
	}
}

// At calls ask with the state after record seq, as far as its trials and the newest fit go. If nothing but
// suggestions came since, it is s itself for as long, with those trials reserved, even if they were not yet;
// otherwise the journal is read again.
func (s *State) At(ctx context.Context, o Options, seq int, ask func(then *State) error) error {
	if s.evidence.Seq > seq {
		then, err := ReadUpTo(ctx, o, seq)
		if err != nil {
			return err
		}
		return ask(then)
	}
	s.own()
	then, newest := *s, 0
	then.Seq, then.lastFit = seq, nil
	for k := range s.notes {
		n, t := &s.notes[k], &s.Trials[k]
		if int(n.configured) > seq {
			defer func(was study.Trial) { *t = was }(*t)
			*t = study.Trial{Number: t.Number, Tag: t.Tag, Key: t.Key, Worker: t.Worker, Flags: t.Flags, State: study.Reserved}
		}
		if p := n.more; p.fit != nil && newest < p.fitted && p.fitted <= seq {
			newest, then.lastFit = p.fitted, p.fit
		}
	}
	return ask(&then)
}

// ReadUpTo is the journal's prefix up to record seq, which is older than the mark and the study. A memory
// whose states the caller owns forgets the newest one.
func ReadUpTo(ctx context.Context, o Options, seq int) (*State, error) {
	o = o.defaults()
	if m := o.Memory; m != nil && m.Own {
		m.begin(&o)
	}
	src, end, err := o.source(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	s, _, err := o.fold(src, seq)
	return s, err
}

// readOnce is the state of the whole journal, read on from where o.Memory ends.
func (o *Options) readOnce(ctx context.Context) (*State, error) {
	m := readMarkFile(o) // before the journal, which may grow meanwhile
	from, end, err := o.storage(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		s := newState(o)
		s.Warnings = o.missing(m)
		return s, checkRun(s, o)
	}
	if err != nil {
		return nil, readFailure(o, err)
	}
	defer end()
	s, t, err := cmp.Or(o.Memory, &Memory{Own: true}).read(o, from)
	if err == nil {
		err = check(s, o, m, t)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// check compares the state with the mark and the study, and collects warnings.
func check(s *State, o *Options, m mark, t tail) error {
	history, contradiction := checkHistory(s, o, m)
	changes, other := checkStudy(s, o)
	s.Warnings = slices.Concat(t.warnings(o), history, changes)
	return cmp.Or(checkRun(s, o), contradiction, other)
}

// checkRun refuses a journal that is not the one asked for.
func checkRun(s *State, o *Options) error {
	switch {
	case o.Run == "" || s.Exists && s.Run == o.Run:
		return nil
	case s.Exists:
		return study.Errorf(study.Conflict, "`bohier run` goes on with the new one",
			"the journal %s was replaced: it holds run %s, not run %s", o.Path, s.Run, o.Run)
	}
	return study.Errorf(study.Conflict, "`bohier run` begins a new one",
		"the journal %s is gone: it was archived, removed or emptied", o.Path)
}

var errEnough = errors.New("enough")

func (t tail) warnings(o *Options) []string {
	if t.warned {
		return []string{fmt.Sprintf("%s: something has changed line ends or added a byte order mark; "+
			"it is read anyway", o.Path)}
	}
	return nil
}

// missing warns when the lock file remembers a journal that is gone.
func (o *Options) missing(m mark) []string {
	if m.Run == "" {
		return nil
	}
	with := ""
	if m.Seq > 0 {
		with = " with " + study.Count(m.Seq, "record")
	}
	return []string{fmt.Sprintf("the journal %s of run %s%s is gone; a new one will begin", o.Path, m.Run, with)}
}

// checkHistory compares the journal with the last record known to be on disk.
func checkHistory(s *State, o *Options, m mark) ([]string, error) {
	if m.Run == "" {
		return nil, nil
	}
	if s.Exists && m.Run != s.Run {
		return []string{fmt.Sprintf("%s now holds run %s; before, run %s was here", o.Path, s.Run, m.Run)}, nil
	}
	hint := "A backup was restored, or a line was deleted. To go on from here: " +
		"bohier journal repair --accept --journal " + study.ShellWord(o.Path) +
		"; to bring the other copy's trials in: bohier journal merge"
	if s.Lock == LockLease {
		hint = "If it is the cache of a network file system that shows an old state, repair nothing: mount without it " +
			"(sshfs: -o dir_cache=no,attr_timeout=0,entry_timeout=0,ac_attr_timeout=0), and run again. Otherwise: " + hint
	}
	switch {
	case m.Seq > s.Seq:
		return nil, study.Errorf(study.Damaged, hint,
			"journal %s was rolled back: record %d was acknowledged, the last one here is %d", o.Path, m.Seq, s.Seq)
	case m.Seq > 0 && s.markOf(m.Seq, "").Sum != m.Sum:
		return nil, study.Errorf(study.Damaged, hint,
			"journal %s was replaced by another copy: record %d is not the one acknowledged here", o.Path, m.Seq)
	}
	return nil, nil
}

// checkStudy compares the study with the journal's.
func checkStudy(s *State, o *Options) ([]string, error) {
	if !s.Exists {
		return nil, nil
	}
	if o.Space != nil && !o.AnySpace && s.Space != "" && s.Space != o.Space.Fingerprint() {
		lines := conditions(s.Study, o.Study)
		if len(lines) == 0 {
			lines = []string{"space: " + s.Space + " → " + o.Space.Fingerprint()}
		}
		return nil, study.Errorf(study.Mismatch,
			"To adopt the change, with a record of it in the journal: bohier migrate, with the -c and --journal of this command",
			"the study's space is not the journal's:\n%s", indent(lines))
	}
	if studyChanged(s, o) {
		lines := diffObjects("", s.Study, o.Study)
		// which is given anew
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line[1:], " context: ") })
		if len(lines) > 0 {
			return []string{"the study file has changed and the next record will note it:\n" + indent(lines)}, nil
		}
	}
	return nil, nil
}

// studyChanged reports whether the study outside its space differs.
func studyChanged(s *State, o *Options) bool {
	return o.Study != nil && !slices.Equal(compact(s.Study), compact(o.Study)) ||
		o.Seed != nil && *o.Seed != s.Seed
}

// Migrate adopts the space and study of o for a journal that was made with another space, and records that. fill gives
// old trials their values of new parameters, as a JSON object; nil gives none. Trials that still do not fit are kept as
// data (Outside); a fill may come later and bring them back. It returns the new state and the adopted changes, one line
// each; none means that there was nothing to adopt.
func Migrate(ctx context.Context, o Options, fill json.RawMessage) (*State, []string, error) {
	o.AnySpace = true
	var lines []string
	s, err := Update(ctx, o, func(s *State) ([]Record, error) {
		lines = nil
		same := s.Space == o.Space.Fingerprint()
		outside := slices.ContainsFunc(s.Trials, func(t study.Trial) bool { return t.Outside })
		if !s.Exists || same && (fill == nil || !outside) {
			return nil, nil
		}
		lines = conditions(s.Study, o.Study)
		switch {
		case same:
			lines = []string{"+ fill: " + string(fill)}
		case len(lines) == 0:
			lines = []string{"~ space: " + s.Space + " → " + o.Space.Fingerprint()}
		}
		return []Record{{Kind: KindMigrate, Space: o.Space.Fingerprint(), Study: o.Study, Fill: fill}}, nil
	})
	return s, lines, err
}

// compact is a JSON text without space between its tokens; nil if it is none.
func compact(b []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return nil
	}
	return out.Bytes()
}

// member is one member of a JSON object, nil if it is not there.
func member(b []byte, name string) json.RawMessage { return find(texts(b, nil), []byte(name)) }

// diffObjects lists the leaves in which two JSON texts differ, one line each:
// "path: old → new", "+ path: new", "- path: old".
func diffObjects(path string, a, b []byte) []string {
	var ma, mb map[string]json.RawMessage
	if json.Unmarshal(a, &ma) != nil || json.Unmarshal(b, &mb) != nil || ma == nil || mb == nil {
		a, b = compact(a), compact(b)
		switch {
		case bytes.Equal(a, b):
			return nil
		case len(a) == 0:
			return []string{"+ " + path + ": " + shorten(b)}
		case len(b) == 0:
			return []string{"- " + path + ": " + shorten(a)}
		}
		return []string{"~ " + path + ": " + shorten(a) + " → " + shorten(b)}
	}
	names := maps.Clone(ma)
	maps.Copy(names, mb)
	var out []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		sub := n
		if path != "" {
			sub = path + "." + n
		}
		out = append(out, diffObjects(sub, ma[n], mb[n])...)
	}
	return out
}

func shorten(b []byte) string {
	return study.Clip(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b)), 120)
}

func indent(lines []string) string { return "  " + strings.Join(lines, "\n  ") }

// conditions are the lines in which two studies differ about conditions that their trials share: the space with its
// constraints, and the range of a fidelity's resource.
func conditions(a, b []byte) (lines []string) {
	for _, name := range []string{"space", "forbidden", "require", "fidelity"} {
		lines = append(lines, diffObjects(name, member(a, name), member(b, name))...)
	}
	return lines
}

// A text is a member of an object as it stands, by its name.
type text struct{ name, value []byte }

// texts are the members of an object, added to those in room.
func texts(object []byte, room []text) []text {
	s := jsonscan.Scanner{B: object}
	s.Object(func(name []byte) { room = append(room, text{name, s.Value(1)}) })
	return room
}

// find is the value with a name, nil if there is none.
func find(list []text, name []byte) []byte {
	for k := range list {
		if bytes.Equal(list[k].name, name) {
			return list[k].value
		}
	}
	return nil
}
