package main

import (
	"errors"
	"slices"
	"strings"

	"bohier/bench/problems"
)

// outside adds the problems of a file that are wanted, each served by a process
// of its own until stop is called.
func outside(file, server string, wanted []string) (stop func(), err error) {
	var stops []func() error
	stop = func() {
		for _, s := range stops {
			_ = s() // the process has nothing left to say
		}
	}
	if (file == "") != (server == "") {
		return nil, errors.New("-spec and -serve need each other")
	}
	if file == "" {
		return stop, nil
	}
	list, err := problems.Read(file)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if !slices.Contains(wanted, p.Name) {
			continue
		}
		s, err := p.Serve(strings.Fields(server)...)
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, s)
		if err := problems.Add(p); err != nil {
			stop()
			return nil, err
		}
	}
	return stop, nil
}
