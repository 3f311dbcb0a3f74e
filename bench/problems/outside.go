package problems

import (
	"errors"
	"slices"
	"strings"
)

// Outside adds the problems of a file, those wanted or, where wanted is nil, all, each served by a process of its own
// until stop is called. It returns their names. Without file and server there are none.
func Outside(file, server string, wanted []string) (stop func(), names []string, err error) {
	var stops []func() error
	stop = func() {
		for _, s := range stops {
			_ = s() // the process has nothing left to say
		}
	}
	if (file == "") != (server == "") {
		return stop, nil, errors.New("-spec and -serve need each other")
	}
	if file == "" {
		return stop, nil, nil
	}
	list, err := Read(file)
	if err != nil {
		return stop, nil, err
	}
	for _, p := range list {
		if wanted != nil && !slices.Contains(wanted, p.Name) {
			continue
		}
		s, err := p.Serve(strings.Fields(server)...)
		if err != nil {
			stop()
			return func() {}, nil, err
		}
		stops, names = append(stops, s), append(names, p.Name)
		if err := Add(p); err != nil {
			stop()
			return func() {}, nil, err
		}
	}
	return stop, names, nil
}
