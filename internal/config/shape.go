package config

import (
	"strings"
	"time"

	"bohier/internal/space"
)

// A shape is what a value may be: in words for people, and as a JSON Schema.
type shape struct {
	text   string
	schema func(*key, *schemaWriter) schemaObject
	null   bool // null is a value like any other
	number bool // nothing but a number

	// Of a plain key: a value of its type in Go, the range of a whole number, and the numbers
	// that are right, with the words for others.
	zero        any
	least, most int
	ok          func(float64) bool
	wrong       string
}

// plain is a shape whose schema depends on nothing.
func plain(text string, s schemaObject) shape {
	return shape{text: text, schema: func(*key, *schemaWriter) schemaObject { return s }}
}

// numeric is plain for numbers.
func numeric(text string, s schemaObject) shape {
	n := plain(text, s)
	n.number, n.zero = true, 0.0
	return n
}

// The shapes without arguments. A text may be written without quotes, so that a
// number or true is one too.
var (
	anyText     = plain("text", schemaObject{"type": []string{"string", "number", "boolean"}}).holding("")
	anyNumber   = numeric("number", schemaObject{"type": "number"})
	anyBool     = plain("true or false", schemaObject{"type": "boolean"}).holding(false)
	anyValue    = shape{text: "any value", schema: func(*key, *schemaWriter) schemaObject { return anything }, null: true}
	valueList   = plain("list of values", ref("values"))
	anyDuration = plain("time, such as 90s, 30m, 2h, 1h30m or 2d", ref("duration")).holding(time.Duration(0))
	anyDensity  = plain("density", ref("density"))
	anyKernel   = plain("kernel", ref("kernel"))

	anyCondition  = plain("condition", ref("condition"))
	conditionList = plain("list of conditions", ref("conditions"))
	parameterMap  = plain("mapping of parameters", ref("space"))
	anyParameter  = plain("list of values, or mapping", ref("parameter"))

	// oneWord is one of the key's words; where the program lists none, any.
	oneWord = shape{text: "word", schema: func(k *key, w *schemaWriter) schemaObject { return w.word(k) }, zero: ""}
	// subkeys is a mapping with the keys below this one.
	subkeys = shape{text: "mapping", schema: func(k *key, w *schemaWriter) schemaObject { return w.section(k.path) }}
	// wordOrSubkeys is a word, or a mapping with the keys below this one.
	wordOrSubkeys = shape{text: "word, or mapping", schema: func(k *key, w *schemaWriter) schemaObject {
		return anyOf(w.word(k), w.section(k.path))
	}}
	// nameOrSubkeys is a name of the user's, or a mapping with the keys below this one.
	nameOrSubkeys = shape{text: "name, or mapping", schema: func(k *key, w *schemaWriter) schemaObject {
		return anyOf(anyText.schema(k, w), w.section(k.path))
	}}
)

// anything is the schema of a value of a parameter.
var anything = schemaObject{"type": []string{"string", "number", "boolean", "null", "array", "object"}}

// orSubkeys is s, or a mapping with the keys below this one.
func orSubkeys(s shape) shape {
	return shape{text: s.text + ", or mapping", schema: func(k *key, w *schemaWriter) schemaObject {
		return anyOf(s.schema(k, w), w.section(k.path))
	}}
}

func exactly(v int) shape { return plain("number", schemaObject{"const": v}) }

func atLeast(v float64) shape {
	wrong := strings.Replace("be at least "+num(v), "be at least 0", "not be negative", 1)
	return numeric("number from "+num(v), schemaObject{"type": "number", "minimum": v}).where(func(x float64) bool { return x >= v }, wrong)
}

func positive() shape {
	return numeric("number above 0", schemaObject{"type": "number", "exclusiveMinimum": 0}).where(func(v float64) bool { return v > 0 }, "be above 0")
}

func within(above, most float64) shape {
	s := numeric("number above "+num(above)+", at most "+num(most), schemaObject{"type": "number", "exclusiveMinimum": above, "maximum": most})
	return s.where(func(v float64) bool { return v > above && v <= most }, "be above "+num(above)+" and at most "+num(most))
}

// where is a number of which ok holds.
func (s shape) where(ok func(float64) bool, wrong string) shape {
	s.ok, s.wrong = ok, wrong
	return s
}

func integerFrom(least int) shape { return integers(least, space.MaxInt) }

// integers are whole numbers whose upper end is a matter of sense, and not of the schema.
func integers(least, most int) shape {
	s := numeric("whole number from "+num(float64(least)), schemaObject{"type": "integer", "minimum": least}).holding(0)
	s.least, s.most = least, most
	return s
}

// wordOr is one fixed word or another shape.
func wordOr(fixed string, s shape) shape {
	return shape{text: fixed + ", or " + s.text, schema: func(k *key, w *schemaWriter) schemaObject {
		return anyOf(schemaObject{"const": fixed}, s.schema(k, w))
	}}
}

// textOr is a text or another shape.
func textOr(s shape) shape {
	return shape{text: "text, or " + s.text, schema: func(k *key, w *schemaWriter) schemaObject {
		return anyOf(anyText.schema(k, w), s.schema(k, w))
	}}
}

func listOf(s shape) shape {
	return shape{text: "list of " + plural(s.text), schema: func(k *key, w *schemaWriter) schemaObject {
		return schemaObject{"type": "array", "items": s.schema(k, w)}
	}}
}

func atLeastTwo(s shape) shape {
	return shape{text: "list of at least two " + plural(s.text), schema: func(k *key, w *schemaWriter) schemaObject {
		return schemaObject{"type": "array", "items": s.schema(k, w), "minItems": 2}
	}}
}

func pairOf(s shape) shape {
	return shape{text: "pair of " + plural(s.text), schema: func(k *key, w *schemaWriter) schemaObject {
		return schemaObject{"type": "array", "items": s.schema(k, w), "minItems": 2, "maxItems": 2}
	}}
}

func mapOf(s shape) shape {
	return shape{text: "mapping from names to " + plural(s.text), schema: func(k *key, w *schemaWriter) schemaObject {
		return schemaObject{"type": "object", "additionalProperties": s.schema(k, w)}
	}}
}

// plural is a shape's words for several of them.
func plural(text string) string {
	switch text {
	case "density":
		return "densities"
	case "any value":
		return "values"
	}
	for i := range len(text) {
		if text[i] == ' ' {
			return text[:i] + "s" + text[i:]
		}
	}
	return text + "s"
}
