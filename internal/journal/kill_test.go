//go:build linux || darwin

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bohier/internal/study"
)

func killed(err error) bool {
	var e *exec.ExitError
	return errors.As(err, &e) && e.ExitCode() == -1
}

// points are where a process is killed: at its first, second, … failpoint; when
// a line, and when a file beside the journal, has so many bytes.
func points(failpoints, line, file, step int) []string {
	var out []string
	for i := 1; i <= failpoints; i++ {
		out = append(out, fmt.Sprint("any:", i))
	}
	for n := 0; n < line; n += step {
		out = append(out, fmt.Sprint("short:", n))
	}
	for n := 0; n < file; n += step {
		out = append(out, fmt.Sprint("file:", n))
	}
	return out
}

// A kill is one command, killed at a point on a journal in some condition, and
// what is done about it before the same command is run again.
type kill struct{ verb, condition, point, recovery string }

// A process is killed at every failpoint and after every few bytes of a write, on a journal in several conditions; the
// same command run again does its work once, and nothing else is lost.
func TestKillAtFailpoints(t *testing.T) {
	t.Parallel()
	step := soak(200, 1)
	var kills []kill
	for _, condition := range []string{"missing", "whole", "torn", "no newline"} {
		file := map[string]int{"missing": 420, "torn": 41}[condition]
		for i, point := range points(soak(6, 12), 215, file, step) {
			for j, recovery := range []string{"none", "killed", "other", "repair"} {
				if condition == "missing" && (recovery == "other" || recovery == "repair") {
					continue // there is nothing to do it to
				}
				if (i+j)%2 == 1 && soak(0, 1) == 0 {
					continue // by turns, or all
				}
				kills = append(kills, kill{"ask", condition, point, recovery})
			}
		}
		if condition == "missing" {
			continue
		}
		for i, point := range points(soak(3, 6), 175, file, 2*step) {
			for j, recovery := range []string{"none", "killed"} {
				for k, verb := range []string{"tell", "part"} { // by turns, or both
					if (i+j)%2 == k || soak(0, 1) == 1 {
						kills = append(kills, kill{verb, condition, point, recovery})
					}
				}
			}
		}
	}
	for _, point := range points(soak(3, 6), 560, 0, soak(250, 1)) { // three records are one write
		kills = append(kills, kill{"add", "whole", point, "none"}, kill{"add", "whole", point, "killed"})
	}
	dead := 0
	for i, k := range kills {
		o := options(t)
		n, err := k.run(o, i)
		if err != nil {
			t.Fatalf("%+v: %v\n%s", k, err, content(t, o.Path))
		}
		dead += n
		_ = os.RemoveAll(filepath.Dir(o.Path))
	}
	figure(t, "processes killed at failpoints and short writes", dead, soak(60, 4000))
}

// run returns how many processes were killed.
func (k kill) run(o Options, i int) (dead int, err error) {
	mine, theirs := []string{"ask", o.Path, "", "mine"}, []string{"tell", o.Path, "", "1", "3"}
	switch k.verb {
	case "tell":
		mine = theirs
	case "part":
		mine = []string{"part", o.Path, "", "1", "3"}
	case "add":
		mine = []string{"add", o.Path, ""}
	}
	var data []byte
	if k.condition != "missing" {
		if _, err := ask(o, "first", 0.5); err != nil {
			return 0, err
		}
		if data, err = os.ReadFile(o.Path); err != nil {
			return 0, err
		}
	}
	switch k.condition {
	case "torn":
		err = os.WriteFile(o.Path, append(data, data[:40]...), 0o666)
	case "no newline":
		err = os.WriteFile(o.Path, bytes.TrimSuffix(data, []byte{'\n'}), 0o666)
	}
	if err != nil {
		return 0, err
	}
	acknowledged := ""
	try := func(point string) error {
		out, err := command([]string{"BOHIER_FAILPOINT=" + point}, mine...).Output()
		switch {
		case killed(err):
			dead++
		case err != nil:
			return err
		case len(out) == 0:
			return errors.New("exit 0 and nothing said")
		}
		if len(out) > 0 {
			if acknowledged != "" && string(out) != acknowledged {
				return fmt.Errorf("acknowledged %q, then %q", acknowledged, out)
			}
			acknowledged = string(out)
		}
		return nil
	}
	if err := try(k.point); err != nil {
		return dead, err
	}
	switch k.recovery {
	case "other":
		_, err = tell(o, "1", 3, study.Once)
	case "repair":
		_, err = Repair(ctx, o, false)
	case "killed": // again, somewhere else, by turns
		err = try([]string{"any:1", "any:2", "any:3", "short:1", "short:100", "file:10"}[i%6])
	}
	if err != nil {
		return dead, err
	}
	return dead, k.check(o, acknowledged, len(data) > 0)
}

// check runs the command again, in this process, and compares.
func (k kill) check(o Options, acknowledged string, existed bool) error {
	before := 0
	if existed {
		before = 1
	}
	want := before
	switch k.verb {
	case "tell":
		if _, err := tell(o, "1", 3, study.Once); err != nil {
			return err
		}
	case "part":
		if _, err := tellPart(o, "1", 3); err != nil {
			return err
		}
	case "add":
		want += 3
		ids, err := addThree(o)
		if err != nil || acknowledged != "" && acknowledged != ids {
			return fmt.Errorf("acknowledged %q, now %q, %w", acknowledged, ids, err)
		}
	default:
		want++
		tr, err := ask(o, "mine", 0.25)
		if err != nil {
			return err
		}
		if f := strings.Fields(acknowledged); tr.Number != want || len(f) > 0 && f[0] != tr.ID() {
			return fmt.Errorf("acknowledged %q, now trial %s", acknowledged, tr.ID())
		}
	}
	s, _, err := Read(ctx, o)
	if err != nil {
		return err
	}
	if len(s.Trials) != want || s.Torn {
		return errors.New(summary(s))
	}
	if first := &s.Trials[0]; existed &&
		(first.Config.Value[0] != 0.5 || k.verb == "tell" && (first.State != study.Complete || first.Values.Of("loss") != 3) ||
			k.verb == "part" && (first.State != study.Pending || first.Values.Of("latency") != 3)) {
		return errors.New(summary(s))
	}
	return nil
}

// Repair and archive are killed on the way: the journal that was is still there,
// whole, under one of its names, and running the command again ends well.
func TestKillRepairAndArchive(t *testing.T) {
	t.Parallel()
	dead := 0
	for _, verb := range []string{"repair", "archive"} {
		for _, point := range points(8, 0, soak(300, 1700), soak(150, 6)) {
			o := filled(t)
			data := content(t, o.Path)
			aside := filepath.Join(filepath.Dir(o.Path), "old.jsonl")
			args := []string{verb, o.Path, "", aside}
			if verb == "repair" {
				data = bytes.Replace(data, []byte(`"x":0.125`), []byte(`"x":0.126`), 1)
				write(t, o.Path, data)
			}
			_, err := command([]string{"BOHIER_FAILPOINT=" + point}, args...).Output()
			if err != nil && !killed(err) {
				t.Fatalf("%s, %s: %v", verb, point, err)
			}
			if err != nil {
				dead++
			}
			kept := 0
			names, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Path), "*"))
			for _, name := range names {
				if bytes.Equal(content(t, name), data) {
					kept++
				}
			}
			if kept == 0 {
				t.Fatalf("%s, %s: what was there is in none of %v", verb, point, names)
			}
			if verb == "repair" {
				if _, err := Repair(ctx, o, false); err != nil {
					t.Fatalf("%s, %s: run again: %v", verb, point, err)
				}
				if s := read(t, o); len(s.Trials) != 4 || s.Trials[0].State != study.Complete {
					t.Fatalf("%s, %s:\n%s", verb, point, summary(s))
				}
			} else if err != nil {
				if _, err := Archive(ctx, o, aside); err != nil {
					t.Fatalf("%s, %s: run again: %v", verb, point, err)
				}
			}
			if s := read(t, o); verb == "archive" && (s.Exists || len(s.Warnings) > 0 || !bytes.Equal(content(t, aside), data)) {
				t.Fatalf("%s, %s: %v\n%s", verb, point, s.Warnings, summary(s))
			}
			mustAsk(t, o, "", 0.9)
			_ = os.RemoveAll(filepath.Dir(o.Path))
		}
	}
	figure(t, "repairs and archives killed on the way", dead, soak(5, 280))
}
