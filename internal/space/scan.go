package space

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// scanner reads one flat JSON object.
type scanner struct {
	data []byte
	at   int
}

// token is a value: the text of a string, or the literal of anything else, a list
// or mapping without white space.
type token struct {
	text   string
	quoted bool
	nested bool // a list or mapping
}

// members calls f for every member of the object in data, which must be all
// there is.
func members(data []byte, f func(name string, v token) error) error {
	sc := scanner{data: data}
	if sc.next() != '{' {
		return errors.New("a configuration is a JSON object")
	}
	sc.at++
	if sc.next() == '}' {
		sc.at++
		return sc.end()
	}
	for {
		if sc.next() != '"' {
			return sc.wrong("a name in quotes")
		}
		name, err := sc.str()
		if err != nil {
			return err
		}
		if sc.next() != ':' {
			return sc.wrong("a colon")
		}
		sc.at++
		v, err := sc.value(name)
		if err != nil {
			return err
		}
		if err := f(name, v); err != nil {
			return err
		}
		switch sc.next() {
		case ',':
			sc.at++
		case '}':
			sc.at++
			return sc.end()
		default:
			return sc.wrong("a comma or }")
		}
	}
}

// next skips white space and returns the byte there, 0 at the end.
func (sc *scanner) next() byte {
	for ; sc.at < len(sc.data); sc.at++ {
		switch c := sc.data[sc.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (sc *scanner) end() error {
	if sc.next() != 0 || sc.at < len(sc.data) {
		return sc.wrong("nothing more")
	}
	return nil
}

func (sc *scanner) wrong(want string) error {
	if sc.at >= len(sc.data) {
		return fmt.Errorf("JSON ends where %s should follow", want)
	}
	return fmt.Errorf("JSON: expected %s at byte %d", want, sc.at+1)
}

// str reads the string that starts here.
func (sc *scanner) str() (string, error) {
	start, plain := sc.at, true
	for k := sc.at + 1; k < len(sc.data); k++ {
		switch c := sc.data[k]; {
		case c == '\\':
			plain = false
			k++
		case c == '"':
			sc.at = k + 1
			raw := sc.data[start:sc.at]
			if plain && utf8.Valid(raw) {
				return string(raw[1 : len(raw)-1]), nil
			}
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return "", fmt.Errorf("JSON: bad string at byte %d: %w", start+1, err)
			}
			return text, nil
		case c < ' ':
			sc.at = k
			return "", sc.wrong("the end of a string")
		}
	}
	sc.at = len(sc.data)
	return "", sc.wrong("the end of a string")
}

// value reads any value.
func (sc *scanner) value(name string) (token, error) {
	switch c := sc.next(); c {
	case '"':
		text, err := sc.str()
		return token{text: text, quoted: true}, err
	case '{', '[':
		return sc.nested(name)
	}
	start := sc.at
	for sc.at < len(sc.data) {
		c := sc.data[sc.at]
		if c == ',' || c == '}' || c <= ' ' {
			break
		}
		sc.at++
	}
	raw := sc.data[start:sc.at]
	if !json.Valid(raw) {
		sc.at = start
		return token{}, sc.wrong("a value of " + name)
	}
	return token{text: string(raw)}, nil
}

// nested reads a list or mapping.
func (sc *scanner) nested(name string) (token, error) {
	var raw json.RawMessage
	d := json.NewDecoder(bytes.NewReader(sc.data[sc.at:]))
	if err := d.Decode(&raw); err != nil {
		return token{}, fmt.Errorf("JSON: the value of %s at byte %d: %w", name, sc.at+1, err)
	}
	sc.at += int(d.InputOffset())
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return token{}, err
	}
	return token{text: b.String(), nested: true}, nil
}
