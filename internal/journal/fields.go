package journal

import (
	"reflect"
	"strings"
)

// A field is a set of members of a line, as bits.
type field uint64

// A column is a member of a line, by its place in Record.
type column struct {
	name   string
	shared bool // its texts repeat
}

// columns are the members in the order of Record.
var columns = func() (out []column) {
	for i := range reflect.TypeFor[Record]().NumField() {
		name, _, shared := strings.Cut(reflect.TypeFor[Record]().Field(i).Tag.Get("line"), ",")
		out = append(out, column{name, shared})
	}
	return out
}()

var fieldNames = func() map[string]field {
	names := map[string]field{}
	for i, c := range columns {
		names[c.name] = 1 << i
	}
	return names
}()

// members is a set of members by their names.
func members(names string) (set field) {
	for name := range strings.FieldsSeq(names) {
		set |= fieldNames[name]
	}
	return set
}

var (
	frame   = members("seq prev t crc")
	always  = frame | members("at optional") // what any kind may carry
	outcome = members("state failure values cost stderr stderrs raw note")
)

// rules says which fields a kind must and may carry beside the frame and `at`.
var rules = map[Kind]rule{
	KindHeader:    {members("bohier min_reader run lock seed"), members("space study")},
	KindReserve:   {members("trial tag"), members("key worker flags start to from cut")},
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
	KindPromote:   {members("trial tag leg to"), members("key worker flags source from cut")},
	KindNote:      {0, members("note study seed")},
}
