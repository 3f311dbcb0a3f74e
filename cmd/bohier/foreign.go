package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bohier/internal/exchange"
	"bohier/internal/study"
)

// printScript prints the script that reads the private files of a tool.
func printScript(s call, tool string) error {
	script := exchange.ScriptOf(tool)
	if script == nil {
		var names []string
		for _, known := range exchange.Scripts {
			names = append(names, known.Tool)
		}
		return usage("tools: "+strings.Join(names, ", "), "there is no script for %q", tool)
	}
	return s.write(script.Text())
}

// readForeign reads TOOL:FILE, by the tool's script where the file is private to the tool.
func readForeign(s call, from, what, name string) (*exchange.Study, error) {
	tool, file, ok := strings.Cut(from, ":")
	if !ok || !slices.Contains(exchange.Spaces(), tool) {
		hint := "tools: " + strings.Join(exchange.Spaces(), ", ")
		if advice := exchange.Advice(tool); advice != "" {
			hint = advice
		}
		return nil, usage(hint, "%s needs TOOL:FILE, not %q", what, shownSource(from))
	}
	data, err := readScripted(s, tool, file, name)
	if err == nil && data == nil {
		data, err = s.readFile(file)
	}
	if err != nil {
		return nil, err
	}
	in := exchange.Input{Name: shownSource(shownFile(file)), Data: data}
	if file != "-" {
		in.Dir = smallFiles{os.DirFS(filepath.Dir(s.path(file)))}
	}
	return exchange.Read(tool, in, exchange.Options{Study: name})
}

// readScripted is what the tool's script prints of a file or URL; nil where none is needed.
func readScripted(s call, tool, file, name string) ([]byte, error) {
	script := exchange.ScriptOf(tool)
	if script == nil || file == "-" {
		return nil, nil
	}
	var head []byte
	if f, err := os.Open(s.path(file)); err == nil {
		head, err = io.ReadAll(io.LimitReader(f, 1<<16))
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, usage("", "%v", err)
		}
	}
	if !script.Reads(file, head) {
		return nil, nil
	}
	arguments := []string{file}
	if name != "" {
		arguments = append(arguments, name)
	}
	data, err := script.Run(s.ctx, s.Dir, s.Env, maxInput, arguments...)
	var e *study.Error
	if errors.As(err, &e) && e.Code == study.Usage {
		e.Msg = shownSource(file) + ": " + e.Msg
	}
	return data, err
}

var password = regexp.MustCompile(`(://[^\s/:@]*:)[^\s@]*@`)

// shownSource is a source as messages show it, without a password.
func shownSource(from string) string { return password.ReplaceAllString(from, "${1}…@") }

// smallFiles refuses files beyond maxInput.
type smallFiles struct{ fs.FS }

// Open implements fs.FS.
func (f smallFiles) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > maxInput) {
		return nil, errors.Join(file.Close(), fs.ErrInvalid)
	}
	return file, nil
}
