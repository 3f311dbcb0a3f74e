package journal

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Whatever the bytes, reading ends without a panic; what is accepted can be appended to and read again.
func FuzzRead(f *testing.F) {
	data, _ := memJournal(f)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte("\xef\xbb\xbf{}\r\n"))
	f.Add(forge(1, 0, `"t":"header","bohier":1,"min_reader":1,"run":"r","lock":"posix","seed":"1"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, o := of(b)
		s, _, err := Read(ctx, o)
		if err != nil {
			if code(err) <= 0 {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		before := len(s.Trials)
		if _, err := ask(o, "after the fuzz", 0.123456); err != nil {
			t.Fatalf("read and not writable: %v", err)
		}
		if s, _, err := Read(ctx, o); err != nil || s.ByKey("after the fuzz") == nil || len(s.Trials) < before {
			t.Fatalf("written and not readable: %v", err)
		}
	})
}

// A line whose checksum holds decodes or is refused; what decodes can be encoded and means the same.
func FuzzDecode(f *testing.F) {
	data, _ := memJournal(f)
	for _, l := range bytes.Split(data, []byte{'\n'}) {
		if len(l) > tailLen {
			f.Add(l[:len(l)-tailLen])
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		line := sealed(body)
		var r Record
		if newDecoder().decode(line, &r) != nil {
			return
		}
		if !json.Valid(line) {
			t.Fatalf("accepted, and not JSON: %q", line)
		}
		if _, known := rules[r.Kind]; !known {
			return
		}
		again, err := appendRecord(nil, &r, false)
		if err != nil {
			return // a required text may be empty in what was read
		}
		var back Record
		if err := newDecoder().decode(again[:len(again)-1], &back); err != nil {
			t.Fatalf("%q became %q: %v", line, again, err)
		}
		back.CRC, r.CRC = 0, 0
		a, _ := json.Marshal(r)
		b, _ := json.Marshal(back)
		if string(compact(a)) != string(compact(b)) {
			t.Fatalf("%s became %s", a, b)
		}
	})
}

// Repair never panics, keeps the old bytes, and leaves a journal that verifies.
func FuzzRepair(f *testing.F) {
	data, _ := memJournal(f)
	f.Add(data, uint16(100), byte(3))
	f.Fuzz(func(t *testing.T, b []byte, at uint16, flip byte) {
		if len(b) == 0 {
			return
		}
		b = bytes.Clone(b)
		b[int(at)%len(b)] ^= flip
		m, o := of(b)
		rep, err := Repair(ctx, o, false)
		if err != nil {
			return
		}
		if v, err := Verify(ctx, o); err != nil || len(v.Problems) > 0 || v.Torn > 0 {
			t.Fatalf("%+v %v", v, err)
		}
		if rep.Saved != "" && !bytes.Equal(m.bytes(rep.Saved), b) {
			t.Fatal("the damaged journal was not kept")
		}
	})
}
