package main

import (
	"fmt"
	"os"
	"strings"

	"bohier/internal/config"
	"bohier/internal/study"
)

func runInit(s call, args []string) error {
	file, from := s.file(), s.text("from")
	if len(args) > 0 {
		file = args[0]
	}
	text := config.Template
	if from != "" {
		var err error
		if text, err = converted(s, from, s.text("study")); err != nil {
			return err
		}
	}
	if file == "-" {
		return s.write(text)
	}
	if _, err := os.Lstat(s.path(file)); err == nil && !s.on("force") {
		return usage("--force overwrites it", "%s exists already", file)
	}
	if err := outFile(file).save(s, text); err != nil {
		return err
	}
	s.Log.Info().Msg("wrote " + file)
	s.Recorded = "it is there; --force overwrites it"
	return s.write([]byte(file + "\n"))
}

// converted is the study file for another tool's search space.
func converted(s call, from, name string) ([]byte, error) {
	foreign, err := readForeign(s, from, "--from", name)
	if err != nil {
		return nil, err
	}
	file := shownSource(strings.TrimPrefix(from, foreign.Tool+":"))
	if foreign.Space == nil {
		return nil, usage("give the file that declares the space", "%s has trials and no search space", file)
	}
	text, found := foreign.Convert(file)
	if err := found.Err(); err != nil {
		return nil, invalidStudy{found, err}
	}
	for _, w := range found.Warnings {
		if w.Line == 0 {
			s.Log.warn(w.File + ": " + w.Message)
			continue
		}
		s.Log.warn(fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Column, w.Message))
	}
	s.Log.warn(foreign.SpaceNotes...)
	if len(foreign.Trials) > 0 {
		s.Log.warn(fmt.Sprintf("`bohier import %s` adds its %s", shownSource(from),
			study.Count(len(foreign.Trials), "trial")))
	}
	return text, nil
}
