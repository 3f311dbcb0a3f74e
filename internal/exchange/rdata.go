package exchange

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// An rValue is a value of R: a list, texts or numbers, with attributes. NA is NaN among
// numbers and nil among texts. Functions, environments and the like are empty.
type rValue struct {
	list       []*rValue
	texts      []*string
	numbers    []float64
	tag        string // of an element of a pairlist
	attributes map[string]*rValue
}

// get is a named element of a list; nil if there is none.
func (v *rValue) get(name string) *rValue {
	if v == nil {
		return nil
	}
	if names := v.attributes["names"]; names != nil {
		for k, n := range names.texts {
			if n != nil && *n == name && k < len(v.list) {
				return v.list[k]
			}
		}
	}
	for _, e := range v.list {
		if e.tag == name {
			return e
		}
	}
	return nil
}

// mostRData bounds what a compressed file may become, in bytes.
const mostRData = 1 << 28

// readRData reads what R's save writes in its default, binary form: a list of the
// variables saved.
func readRData(data []byte) (v *rValue, err error) {
	var r io.Reader = bytes.NewReader(data)
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		if r, err = gzip.NewReader(r); err != nil {
			return nil, err
		}
	case bytes.HasPrefix(data, []byte("BZh")):
		r = bzip2.NewReader(r)
	case bytes.HasPrefix(data, []byte("\xfd7zXZ")):
		return nil, errors.New("it is compressed with xz, which is not read; in R: load it, and save(iraceResults, file = \"log.Rdata\")")
	}
	plain, err := io.ReadAll(io.LimitReader(r, mostRData+1))
	if err != nil {
		return nil, err
	}
	if len(plain) > mostRData {
		return nil, fmt.Errorf("it has more than %d MiB", mostRData>>20)
	}
	rest, ok := bytes.CutPrefix(plain, []byte("RDX3\nX\n"))
	if !ok {
		if rest, ok = bytes.CutPrefix(plain, []byte("RDX2\nX\n")); !ok {
			return nil, errors.New("this is no file of R's save")
		}
	}
	defer func() { // reading past the end: one check for all
		if e := recover(); e != nil {
			if e != errRData { //nolint:errorlint // the very value
				panic(e)
			}
			v, err = nil, errRData
		}
	}()
	d := &rDecoder{rest: rest}
	version := d.int()
	d.skip(8) // versions of the writer and of the least reader
	if version == 3 {
		d.skip(d.int()) // the native encoding
	}
	return d.item(0), nil
}

var errRData = errors.New("the file of R is damaged, or holds something unknown")

// An rDecoder reads the serialisation of R (R Internals, "Serialization Formats"). It
// panics with errRData where the bytes make no sense.
type rDecoder struct {
	rest []byte
	refs []*rValue
}

const deepestR = 10000

func (d *rDecoder) skip(n int) []byte {
	if n < 0 || n > len(d.rest) {
		panic(errRData)
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *rDecoder) int() int { return int(int32(binary.BigEndian.Uint32(d.skip(4)))) }

// length of a vector whose elements take size bytes at least.
func (d *rDecoder) length(size int) int {
	n := d.int()
	if n < 0 || n > len(d.rest)/size {
		panic(errRData)
	}
	return n
}

func (d *rDecoder) remember(v *rValue) *rValue {
	d.refs = append(d.refs, v)
	return v
}

// The types of R's values that are told apart here.
const (
	rSymbol = 1
	rPairs  = 2
	rFunc   = 3
	rEnv    = 4
	rProm   = 5
	rLang   = 6
	rChar   = 9
	rLgl    = 10
	rInt    = 13
	rReal   = 14
	rCplx   = 15
	rStr    = 16
	rDots   = 17
	rVec    = 19
	rExpr   = 20
	rCode   = 21
	rExtPtr = 22
	rWeak   = 23
	rRaw    = 24
	rS4     = 25
)

func (d *rDecoder) item(depth int) *rValue {
	if depth > deepestR {
		panic(errRData)
	}
	flags := d.int()
	hasAttributes, hasTag := flags&(1<<9) != 0, flags&(1<<10) != 0
	v := &rValue{}
	switch kind := flags & 0xff; kind {
	case 254, 253, 252, 251, 247, 242, 241: // NULL, missing, and the environments of R itself
		return v
	case 255: // seen before
		k := flags >> 8
		if k == 0 {
			k = d.int()
		}
		if k < 1 || k > len(d.refs) {
			panic(errRData)
		}
		return d.refs[k-1]
	case 249, 250, 248: // a namespace, a package, a persistent name
		d.int()
		for n := d.length(4); n > 0; n-- {
			d.item(depth + 1)
		}
		return d.remember(v)
	case rSymbol:
		d.remember(v)
		v.texts = d.item(depth + 1).texts
		return v
	case rEnv:
		d.remember(v)
		d.int()
		for range 4 { // enclosure, frame, table, attributes
			d.item(depth + 1)
		}
		return v
	case rPairs, rLang, rFunc, rProm, rDots:
		return d.pairs(v, kind, hasAttributes, hasTag, depth)
	case 238: // a compact form: its class, its state, its attributes
		class, state := d.item(depth+1), d.item(depth+1)
		v = compact(class, state)
		v.attributes = d.attributes(depth)
		return v
	case rChar:
		s := ""
		if n := d.int(); n >= 0 {
			s = string(d.skip(n))
			v.texts = []*string{&s}
		} else {
			v.texts = []*string{nil}
		}
	case rLgl, rInt:
		for n := d.length(4); n > 0; n-- {
			x := d.int()
			f := float64(x)
			if x == math.MinInt32 {
				f = math.NaN()
			}
			v.numbers = append(v.numbers, f)
		}
	case rReal, rCplx:
		n := d.length(8)
		if kind == rCplx {
			n *= 2
		}
		for ; n > 0; n-- {
			v.numbers = append(v.numbers, math.Float64frombits(binary.BigEndian.Uint64(d.skip(8))))
		}
	case rStr:
		for n := d.length(4); n > 0; n-- {
			v.texts = append(v.texts, d.item(depth + 1).texts[:1]...)
		}
	case rVec, rExpr:
		for n := d.length(4); n > 0; n-- {
			v.list = append(v.list, d.item(depth+1))
		}
	case rRaw:
		d.skip(d.length(1))
	case rCode:
		d.length(1) // what is seen again in it
		d.code(depth)
	case rExtPtr, rWeak:
		d.remember(v)
		if kind == rExtPtr {
			d.item(depth + 1)
			d.item(depth + 1)
		}
	case 7, 8: // a primitive function, by name
		d.skip(d.length(1))
	case rS4:
	default:
		panic(errRData)
	}
	if hasAttributes {
		v.attributes = d.attributes(depth)
	}
	return v
}

// attributes is a pairlist as a map.
func (d *rDecoder) attributes(depth int) map[string]*rValue {
	out := map[string]*rValue{}
	for _, e := range d.item(depth + 1).list {
		out[e.tag] = e
	}
	return out
}

// pairs reads a linked list without recursion along it. Elements keep their tags.
func (d *rDecoder) pairs(v *rValue, kind int, hasAttributes, hasTag bool, depth int) *rValue {
	for {
		if hasAttributes {
			d.item(depth + 1)
		}
		tag := ""
		if hasTag {
			if t := d.item(depth + 1).texts; len(t) > 0 && t[0] != nil {
				tag = *t[0]
			}
		}
		e := *d.item(depth + 1)
		e.tag = tag
		v.list = append(v.list, &e)
		if kind == rFunc || kind == rProm {
			d.item(depth + 1)
			return v
		}
		if len(d.rest) < 4 {
			panic(errRData)
		}
		flags := int(binary.BigEndian.Uint32(d.rest))
		if next := flags & 0xff; next != rPairs && next != rLang {
			d.item(depth + 1)
			return v
		}
		d.skip(4)
		hasAttributes, hasTag = flags&(1<<9) != 0, flags&(1<<10) != 0
	}
}

// code reads compiled code, whose values are of no interest.
func (d *rDecoder) code(depth int) {
	if depth > deepestR {
		panic(errRData)
	}
	d.item(depth + 1)
	for n := d.length(4); n > 0; n-- {
		switch kind := d.int(); kind {
		case rCode:
			d.code(depth + 1)
		case rLang, rPairs, 244, 243, 240, 239:
			d.codeLang(kind, depth+1)
		default:
			d.item(depth + 1)
		}
	}
}

func (d *rDecoder) codeLang(kind, depth int) {
	if depth > deepestR {
		panic(errRData)
	}
	switch kind {
	case 243: // seen before
		d.int()
	case 244, rLang, rPairs, 240, 239:
		if kind == 244 { // to be seen again
			d.int()
			kind = d.int()
		}
		if kind == 240 || kind == 239 {
			d.item(depth + 1)
		}
		d.item(depth + 1) // tag
		d.codeLang(d.int(), depth+1)
		d.codeLang(d.int(), depth+1)
	default:
		d.item(depth + 1)
	}
}

// compact expands the compact forms that data have: a sequence of integers, wrapped
// vectors, and numbers that are to become texts.
func compact(class, state *rValue) *rValue {
	name := ""
	if len(class.list) > 0 && len(class.list[0].texts) > 0 && class.list[0].texts[0] != nil {
		name = *class.list[0].texts[0]
	}
	switch {
	case (name == "compact_intseq" || name == "compact_realseq") && len(state.numbers) == 3 && state.numbers[0] >= 0 && state.numbers[0] < 1e8:
		v := &rValue{}
		for k := range int(state.numbers[0]) {
			v.numbers = append(v.numbers, state.numbers[1]+float64(k)*state.numbers[2])
		}
		return v
	case name == "deferred_string" && len(state.list) > 0:
		v := &rValue{}
		for _, x := range state.list[0].numbers {
			s := fmt.Sprint(x)
			v.texts = append(v.texts, &s)
		}
		return v
	case len(state.list) > 0: // wrap_integer, wrap_string, …
		copied := *state.list[0]
		return &copied
	}
	return &rValue{}
}
