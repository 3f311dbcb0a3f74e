package journal

import (
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// MaxLine is the longest line, with its newline, in bytes.
const MaxLine = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func crc(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// crcAdd is the checksum of what sum is the checksum of, followed by b.
func crcAdd(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// appendRecord appends the line of r, with its newline, to dst and sets r.CRC.
func appendRecord(dst []byte, r *Record) ([]byte, error) {
	rule, ok := rules[r.Kind]
	if !ok {
		panic("journal: record of unknown kind " + string(r.Kind))
	}
	e := encoder{b: dst, start: len(dst)}
	e.b = append(e.b, '{')
	e.int(fSeq, "seq", r.Seq)
	e.hex("prev", r.Prev)
	e.str(fT, "t", string(r.Kind))
	e.optInt(fBohier, "bohier", r.Bohier)
	e.optInt(fMinReader, "min_reader", r.MinReader)
	e.str(fRun, "run", r.Run)
	e.str(fLock, "lock", r.Lock)
	if r.Seed != nil {
		e.str(fSeed, "seed", strconv.FormatUint(*r.Seed, 10))
	}
	e.str(fSpace, "space", r.Space)
	e.raw(fStudy, "study", r.Study)
	e.raw(fFill, "fill", r.Fill)
	e.optInt(fTrial, "trial", r.Trial)
	e.str(fTag, "tag", r.Tag)
	e.str(fKey, "key", r.Key)
	e.str(fWorker, "worker", r.Worker)
	e.str(fFlags, "flags", r.Flags)
	e.raw(fParams, "params", r.Params)
	e.str(fSource, "source", r.Source)
	e.optInt(fFrom, "from", r.From)
	e.numbers(fFit, "fit", r.Fit)
	e.raw(fPlan, "plan", r.Plan)
	e.raw(fModel, "model", r.Model)
	e.optInt(fCut, "cut", r.Cut)
	e.optInt(fSpare, "spare", r.Spare)
	e.optInt(fQueue, "queue", r.Queue)
	e.optInt(fLeg, "leg", r.Leg)
	e.optNumber(fStart, "start", r.Start)
	e.optNumber(fTo, "to", r.To)
	e.optNumber(fResource, "resource", r.Resource)
	e.str(fState, "state", string(r.State))
	e.str(fFailure, "failure", string(r.Failure))
	e.numbers(fValues, "values", r.Values)
	e.pairs(fCurve, "curve", r.Curve)
	e.number(fCost, "cost", r.Cost)
	e.number(fStderr, "stderr", r.Stderr)
	e.numbers(fStderrs, "stderrs", r.Stderrs)
	e.metrics(r.Metrics)
	e.number(fDuration, "duration", r.Seconds)
	e.str(fVerdict, "verdict", string(r.Verdict))
	e.str(fRaw, "raw", r.Raw)
	e.str(fNote, "note", r.Note)
	if r.Optional {
		e.name(fOptional, "optional")
		e.b = append(e.b, "true"...)
	}
	e.str(fAt, "at", r.At)
	if e.err != nil {
		return dst, e.err
	}
	allowed := rule.must | rule.may | frame | fAt | fOptional
	if extra := e.seen &^ allowed; extra != 0 {
		return dst, fmt.Errorf("a %s record cannot carry %s", r.Kind, nameOf(extra))
	}
	if missing := rule.must &^ e.seen; missing != 0 {
		return dst, fmt.Errorf("a %s record needs %s", r.Kind, nameOf(missing))
	}
	r.CRC = crc(e.b[e.start:])
	e.hex("crc", r.CRC)
	e.b = append(e.b, '}', '\n')
	if len(e.b)-e.start > MaxLine {
		return dst, fmt.Errorf("the record is %d bytes long, more than the %d a line may have", len(e.b)-e.start, MaxLine)
	}
	return e.b, nil
}

// nameOf is the first field in a set, for messages.
func nameOf(set field) string {
	for _, name := range slices.Sorted(maps.Keys(fieldNames)) {
		if set&fieldNames[name] != 0 {
			return strconv.Quote(name)
		}
	}
	return "nothing"
}

type encoder struct {
	b     []byte
	start int
	seen  field
	err   error
}

func (e *encoder) name(f field, name string) {
	e.seen |= f
	if len(e.b) > e.start+1 {
		e.b = append(e.b, ',')
	}
	e.b = append(e.b, '"')
	e.b = append(e.b, name...)
	e.b = append(e.b, '"', ':')
}

func (e *encoder) int(f field, name string, v int) {
	e.name(f, name)
	e.b = strconv.AppendInt(e.b, int64(v), 10)
}

func (e *encoder) optInt(f field, name string, v int) {
	if v != 0 {
		e.int(f, name, v)
	}
}

func (e *encoder) hex(name string, v uint32) {
	e.name(0, name)
	e.b = fmt.Appendf(e.b, `"%08x"`, v)
}

func (e *encoder) str(f field, name, v string) {
	if v != "" {
		e.name(f, name)
		e.b = appendString(e.b, v)
	}
}

func (e *encoder) raw(f field, name string, v []byte) {
	if len(v) == 0 {
		return
	}
	s := jsonscan.Scanner{B: v}
	s.Space()
	start := s.At
	s.Value(0)
	end := s.At
	s.Space()
	if s.Err != nil || s.At != len(v) || end > start && v[start] != '{' {
		e.err = fmt.Errorf("%q is not a JSON object", name)
		return
	}
	e.name(f, name)
	for _, c := range v[start:end] {
		// A newline would end the record; between JSON tokens a space says the same,
		// and inside strings the scanner has refused control characters.
		if c == '\n' || c == '\r' {
			c = ' '
		}
		e.b = append(e.b, c)
	}
}

func (e *encoder) number(f field, name string, v *float64) {
	if v == nil {
		return
	}
	e.name(f, name)
	e.float(name, *v)
}

func (e *encoder) optNumber(f field, name string, v float64) {
	if v != 0 {
		e.number(f, name, &v)
	}
}

func (e *encoder) pairs(f field, name string, list [][2]float64) {
	if len(list) == 0 {
		return
	}
	e.name(f, name)
	for i, p := range list {
		e.b = append(e.b, "[,"[min(i, 1)], '[')
		e.float(name, p[0])
		e.b = append(e.b, ',')
		e.float(name, p[1])
		e.b = append(e.b, ']')
	}
	e.b = append(e.b, ']')
}

func (e *encoder) numbers(f field, name string, m map[string]float64) {
	writeMembers(e, f, name, m, e.float)
}

func (e *encoder) metrics(m study.Metrics) {
	writeMembers(e, fMetrics, "metrics", m, func(k string, v any) {
		switch v := v.(type) {
		case float64:
			e.float(k, v)
		case string:
			e.b = appendString(e.b, v)
		default:
			e.err = fmt.Errorf("the metric %q is neither a number nor a text", k)
		}
	})
}

// writeMembers writes a field with members, sorted by their names; an empty one is left out.
func writeMembers[V any](e *encoder, f field, name string, m map[string]V, write func(k string, v V)) {
	if len(m) == 0 {
		return
	}
	e.name(f, name)
	e.b = append(e.b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = appendString(e.b, k)
		e.b = append(e.b, ':')
		write(k, m[k])
	}
	e.b = append(e.b, '}')
}

func (e *encoder) float(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.err = fmt.Errorf("%s is %v, which JSON cannot hold", name, v)
		return
	}
	e.b = strconv.AppendFloat(e.b, v, 'g', -1, 64)
}

// appendString appends s as a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
