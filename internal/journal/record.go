package journal

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"

	"bohier/internal/study"
)

// Kind is the kind of a record.
type Kind string

// The kinds.
const (
	KindHeader    Kind = "header"    // first line: run, lock kind, seed, study
	KindPlan      Kind = "plan"      // the plan of the suggestion before it, and its fits; optional
	KindReserve   Kind = "reserve"   // a trial number is taken, its configuration is being computed
	KindSuggest   Kind = "suggest"   // a reserved (or the next) number gets its configuration
	KindObserve   Kind = "observe"   // the outcome of a pending or abandoned trial
	KindReplace   Kind = "replace"   // a corrected outcome
	KindReplicate Kind = "replicate" // a further measurement of a complete trial
	KindPartial   Kind = "partial"   // values of objectives that a pending, abandoned or complete trial lacks
	KindAbandon   Kind = "abandon"   // a pending trial will not be run
	KindRelease   Kind = "release"   // a suggestion never reached its asker; the number is free again
	KindReturn    Kind = "return"    // a pending trial is given back: it waits for the next worker
	KindTake      Kind = "take"      // a worker takes a waiting trial
	KindEnqueue   Kind = "enqueue"   // a configuration, perhaps partial, to be proposed next
	KindAdd       Kind = "add"       // a trial that was measured elsewhere
	KindMigrate   Kind = "migrate"   // the study's space changed and the change was adopted
	KindReport    Kind = "report"    // the result of a trial at a resource; in studies with a fidelity
	KindPromote   Kind = "promote"   // a paused trial gets a further leg
	KindMeasure   Kind = "measure"   // the metrics of an observation; always optional
	KindRemark    Kind = "remark"    // a further note on a trial; always optional
	KindNote      Kind = "note"      // anything else worth keeping; the study when it changed outside its space
)

// Format versions: the versions that this program reads, and the one that it writes: the oldest that will do, so that
// older programs read on where they can. A journal that begins with a fidelity has the newer one.
const (
	Version      = 2
	withFidelity = 2
	plainFormat  = 1
)

// A Record is one line of the journal, with its members in this order; a member that is zero
// is left out. Which ones a kind may and must have is a table (rules). Update fills Seq,
// Prev, CRC and At. Texts that repeat are marked as shared: a long journal has one of each in memory.
type Record struct {
	Seq  int    `line:"seq"`
	Prev uint32 `line:"prev"`
	Kind Kind   `line:"t,shared"`

	Bohier    int             `line:"bohier"` // header: format version
	MinReader int             `line:"min_reader"`
	Run       string          `line:"run"`
	Lock      string          `line:"lock"`
	Seed      *uint64         `line:"seed"`
	Space     string          `line:"space"` // fingerprint
	Study     json.RawMessage `line:"study"`
	Fill      json.RawMessage `line:"fill"` // migrate: values of new parameters for old trials

	Trial  int    `line:"trial"`
	Tag    string `line:"tag"`
	Key    string `line:"key"`
	Worker string `line:"worker,shared"`
	Flags  string `line:"flags,shared"` // the request beside the key

	Params json.RawMessage `line:"params"` // configuration; for observe and replace: the one that really ran
	Source string          `line:"source,shared"`
	From   int             `line:"from"`  // the last record the suggestion saw
	Fit    json.RawMessage `line:"fit"`   // of older journals, whose fits nobody starts from
	Plan   json.RawMessage `line:"plan"`  // a study.Plan
	Model  json.RawMessage `line:"model"` // a study.FitRecord
	Cut    int             `line:"cut"`
	FitCut int             `line:"fit_cut"` // of a decision about levels; of a suggestion it is in Model
	Spare  int             `line:"spare"`   // 1-based index of the spare configuration taken; 0: the first choice
	Queue  int             `line:"queue"`   // seq of the enqueue record this suggestion serves

	Leg      int     `line:"leg"`      // promote: its number; others: the leg they speak of
	Start    float64 `line:"start"`    // below it the trial is not judged
	To       float64 `line:"to"`       // the resource a leg is to reach
	Resource float64 `line:"resource"` // report and others: how much of the fidelity's resource

	State   study.State   `line:"state,shared"`
	Failure study.Failure `line:"failure,shared"`
	Values  study.Values  `line:"values"`
	Curve   [][2]float64  `line:"curve"` // resources with values of the objective, before Resource
	Cost    *float64      `line:"cost"`
	Stderr  *float64      `line:"stderr"`
	Stderrs study.Values  `line:"stderrs"` // of several objectives
	Metrics study.Metrics `line:"metrics"`
	Seconds *float64      `line:"duration"` // measure: how long the trial took
	Verdict study.Verdict `line:"verdict,shared"`
	Raw     string        `line:"raw,shared"` // a reported value that is not a finite number
	Note    string        `line:"note,shared"`

	Optional bool   `line:"optional"` // a reader that does not know the kind may skip the record
	At       string `line:"at"`       // RFC 3339, informative
	CRC      uint32 `line:"crc"`

	end int64 // where its line ends
}

// said are the texts of a record: of a value that is no finite number the value.
func (r *Record) said() string { return cmp.Or(r.Raw, r.Note) }

// observation is that of a record.
func (r *Record) observation() study.Observation {
	return study.Observation{Values: r.Values, Cost: r.Cost, Stderr: r.Stderr, Stderrs: r.Stderrs}
}

// A field is a set of members of a line, as bits.
type field uint64

// A column is a member of a line, by its place in Record.
type column struct {
	name   string
	label  string // of its value in a line
	shared bool   // its texts repeat
}

// columns are the members in the order of Record, fieldNames are they as bits.
var columns, fieldNames = func() (out []column, names map[string]field) {
	names = map[string]field{}
	for i, member := range reflect.VisibleFields(reflect.TypeFor[Record]()) {
		name, _, shared := strings.Cut(member.Tag.Get("line"), ",")
		if name == "" {
			continue
		}
		out, names[name] = append(out, column{name, `"` + name + `":`, shared}), 1<<i
	}
	return out, names
}()

// members are pointers to the members, by column. Reflection would take longer, and there are very many records.
func (r *Record) members() [45]any {
	return [...]any{&r.Seq, &r.Prev, &r.Kind, &r.Bohier, &r.MinReader, &r.Run, &r.Lock, &r.Seed, &r.Space, &r.Study,
		&r.Fill, &r.Trial, &r.Tag, &r.Key, &r.Worker, &r.Flags, &r.Params, &r.Source, &r.From, &r.Fit, &r.Plan, &r.Model,
		&r.Cut, &r.FitCut, &r.Spare, &r.Queue, &r.Leg, &r.Start, &r.To, &r.Resource, &r.State, &r.Failure, &r.Values,
		&r.Curve, &r.Cost, &r.Stderr, &r.Stderrs, &r.Metrics, &r.Seconds, &r.Verdict, &r.Raw, &r.Note, &r.Optional,
		&r.At, &r.CRC}
}

// members is a set of members by their names.
func members(names string) (set field) {
	for name := range strings.FieldsSeq(names) {
		set |= fieldNames[name]
	}
	return set
}

var (
	frame   = members("seq prev t crc")
	always  = frame | members("at optional") // fields that any kind may carry
	outcome = members("state failure values cost stderr stderrs raw note")
)

// rules list the fields that a kind must and may carry beside the frame and `at`.
var rules = map[Kind]rule{
	KindHeader:    {members("bohier min_reader run lock seed"), members("space study")},
	KindReserve:   {members("trial tag"), members("key worker flags start to from cut fit_cut")},
	KindSuggest:   {members("trial tag params"), members("key worker flags source from fit cut spare queue start to")},
	KindPlan:      {members("trial tag"), members("plan model")},
	KindObserve:   {members("trial tag state"), outcome | members("params resource leg")},
	KindReplace:   {members("trial tag state"), outcome | members("params resource leg")},
	KindReplicate: {members("trial tag state"), outcome | members("key")},
	KindPartial:   {members("trial tag values"), members("cost stderr stderrs note")},
	KindAbandon:   {members("trial tag"), members("note leg")},
	KindRelease:   {members("trial tag"), members("note leg")},
	KindReturn:    {members("trial tag"), members("worker note")},
	KindTake:      {members("trial tag"), members("worker key")},
	KindEnqueue:   {members("params"), members("key note start")},
	KindAdd:       {members("trial tag params state"), outcome | members("key source resource curve start")},
	KindMigrate:   {members("space study"), members("fill note")},
	KindMeasure:   {members("trial tag optional"), members("metrics duration")},
	KindRemark:    {members("trial tag note optional"), 0},
	KindReport:    {members("trial tag state resource"), outcome | members("params leg verdict curve")},
	KindPromote:   {members("trial tag leg to"), members("key worker flags source from cut fit_cut")},
	KindNote:      {0, members("note study seed")},
}
