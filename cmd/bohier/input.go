package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"bohier/internal/exchange"
	"bohier/internal/space"
)

// maxInput bounds what is read of a file of trials or points, in bytes.
const maxInput = exchange.MaxInput

// readFile reads a text named by the user; - is stdin.
func (s call) readFile(name string) ([]byte, error) {
	data, err := s.readBytes(name)
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, usage("save it as UTF-8", "%s is UTF-16", shownFile(name))
	case !utf8.Valid(data):
		return nil, usage("save it as UTF-8", "%s is not UTF-8", shownFile(name))
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// readBytes reads a file of any kind.
func (s call) readBytes(name string) ([]byte, error) {
	data, err := untilEnded(s, func() ([]byte, error) {
		in, size := s.Stdin, int64(0)
		if name != "-" {
			f, err := os.Open(s.path(name))
			if err != nil && strings.HasPrefix(name, "{") {
				return nil, usage("write the object to standard input, and - in place of the file", "%s is no file", name)
			}
			if err != nil {
				return nil, usage("", "%v", err)
			}
			defer f.Close()
			if info, err := f.Stat(); err == nil {
				size = info.Size()
			}
			in = f
		}
		data := bytes.NewBuffer(make([]byte, 0, bytes.MinRead+min(size, maxInput)))
		_, err := data.ReadFrom(io.LimitReader(in, maxInput+1))
		if err != nil {
			err = usage("", "%v", err)
		}
		return data.Bytes(), err
	})
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxInput:
		return nil, usage("split it", "%s has more than %d MiB", shownFile(name), maxInput>>20)
	}
	return data, nil
}

func shownFile(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

// readPoints reads configurations, one JSON object a line: the parameters, or an
// object that holds them under "params".
func readPoints(s call, sp *space.Space, file string) ([]space.Configuration, error) {
	data, err := s.readFile(file)
	if err != nil {
		return nil, err
	}
	var out []space.Configuration
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var wrapped struct {
			Params json.RawMessage `json:"params"`
		}
		_, isParameter := sp.Index("params")
		if json.Unmarshal(line, &wrapped) == nil && wrapped.Params != nil && !isParameter {
			line = wrapped.Params
		}
		c, err := sp.ParseJSON(line)
		if err != nil {
			return nil, usage(`a JSON object of parameters on each line`, "%s:%d: %v", shownFile(file), n, err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		return nil, usage("", "%s: %v", shownFile(file), err)
	}
	if len(out) == 0 {
		return nil, usage("", "%s holds no configurations", shownFile(file))
	}
	return out, nil
}
