package space

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"

	"bohier/internal/lists"
)

// FormatValue is raw value v of parameter i as command-line text.
func (s *parameters) FormatValue(i int, v float64) string {
	if p := &s.params[i]; !p.IsNumber() {
		return p.Values[int(v)]
	}
	return number(v)
}

// ParseValue reads raw value text of parameter i: a number in range (off its grid
// by at most 1e-9 of its size: snapped), or a value of a choice, by spelling or, failing that, by number or
// by the content of a list or mapping. A constant accepts its own value.
func (s *parameters) ParseValue(i int, text string) (float64, error) {
	p := &s.params[i]
	if !p.IsNumber() {
		return s.parseChoice(i, text)
	}
	v, err := Decimal(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s: %s is too large a number", p.Name, text)
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%s: %q is not a number", p.Name, text)
	}
	if msg := Misread(text, v); msg != "" {
		return 0, fmt.Errorf("%s: %s", p.Name, msg)
	}
	return s.snap(i, v)
}

// Misread describes the mistake in reading text as v: it writes another whole number. It is empty
// where the two agree, exactly or in the digits that v prints as.
func Misread(text string, v float64) string {
	if math.Abs(v) < MaxInt {
		return ""
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() || r.Cmp(decimal(v)) == 0 || r.Cmp(new(big.Rat).SetFloat64(v)) == 0 {
		return ""
	}
	return fmt.Sprintf("%s would become %.0f: whole numbers are exact within ±2^53 only", text, v)
}

func (s *parameters) parseChoice(i int, text string) (float64, error) {
	p, known := &s.params[i], &s.json[i]
	k, ok := known.index[text]
	if !ok {
		k = slices.IndexFunc(p.Values, func(w string) bool { return sameNumber(text, w) })
		ok = k >= 0
	}
	if !ok {
		k, ok = known.other[text]
	}
	if !ok {
		k, ok = known.other[canonical(text)]
	}
	switch {
	case ok:
		return float64(k), nil
	case p.Kind == Constant:
		return 0, fmt.Errorf("%s: is the constant %s, not %s", p.Name, p.Values[0], text)
	}
	return 0, fmt.Errorf("%s: %q is not a value; %s", p.Name, text, Offered(text, "values", p.Values))
}

// listWidth is how many bytes of names a message lists before it reports how many more there are.
const listWidth = 210

// Listed joins names for a message.
func Listed(names []string) string {
	width := 0
	for i, n := range names {
		if width += len(n) + 2; width > listWidth {
			return fmt.Sprintf("%s, … (%d in all)", strings.Join(names[:max(i, 1)], ", "), len(names))
		}
	}
	return strings.Join(names, ", ")
}

// DidYouMean is the hint for a word that is none of those known: the nearest one if any is near, and the rest.
func DidYouMean(word string, known []string, rest string) string {
	if near, ok := Nearest(word, known); ok {
		return fmt.Sprintf("did you mean %q? %s", near, rest)
	}
	return rest
}

// Offered is that hint where the rest is a list of those known.
func Offered(word, what string, known []string) string {
	return DidYouMean(word, known, what+": "+Listed(known))
}

func sameNumber(a, b string) bool {
	x, wrong := Decimal(a)
	y, err := Decimal(b)
	return wrong == nil && err == nil && x == y
}

// Decimal is strconv.ParseFloat without hexadecimal digits and underscores: a slip becomes no number.
func Decimal(text string) (float64, error) {
	if strings.ContainsAny(text, "_xXpP") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// snap moves v onto the grid and into the bounds of number i if it misses them
// by no more than rounding in another program would, and than an eighth of its step or range. Other values
// off the grid stay as they are.
func (s *parameters) snap(i int, v float64) (float64, error) {
	if s.checkValue(i, v, true) == nil {
		return v, nil
	}
	r := &s.codecs[i]
	pitch := r.stride()
	switch {
	case r.continuous:
		pitch = r.high - r.low
	case r.digits > 0:
		pitch = math.Inf(1)
	}
	if w := r.round(v); math.Abs(w-v) <= min(1e-9*max(math.Abs(v), math.Abs(w)), pitch/8) {
		return w, nil
	}
	return v, s.checkValue(i, v, false)
}

// Key identifies a configuration: two have the same key if they are emitted alike. It is no readable text.
func (s *parameters) Key(c Configuration) string { return string(s.AppendKey(make([]byte, 0, 128), c)) }

// AppendKey appends the key to a buffer.
func (s *parameters) AppendKey(buf []byte, c Configuration) []byte {
	for i := range s.params {
		p := &s.params[i]
		if !c.Active[i] || p.Kind == Constant {
			continue
		}
		v := c.Value[i]
		if !p.Choice() && s.codecs[i].continuous {
			v = s.codecs[i].round(v)
		}
		buf = binary.AppendUvarint(buf, uint64(i))
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v+0)) // −0 is emitted as 0
	}
	return buf
}

// BranchKey names the activity pattern of c: its active conditional parameters, joined by commas.
func (s *parameters) BranchKey(c Configuration) string {
	active := lists.Where(len(s.params), func(i int) bool { return c.Active[i] && s.Conditional(i) })
	return strings.Join(lists.Of(active, func(i int) string { return s.params[i].Name }), ",")
}

// Nearest is the candidate most like word, or "" when none is close: at most a
// third of the word's characters differ (one of two may), case ignored.
func Nearest(word string, candidates []string) (string, bool) {
	word = strings.ToLower(word)
	n := utf8.RuneCountInString(word)
	if n == 0 {
		return "", false
	}
	best, bound := "", max(n/3, min(n-1, 1))+1
	for _, c := range candidates {
		if d := edlib.OSADamerauLevenshteinDistance(word, strings.ToLower(c)); d < bound {
			best, bound = c, d
		}
	}
	return best, best != ""
}
