// Kernelpictures draws the pictures of docs/kernels.md:
//
//	go run ./bench/cmd/kernelpictures          # into docs/img
//	go run ./bench/cmd/kernelpictures DIR
//
// The kernels and the drawing are the program's own.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"bohier/internal/plot"
)

// pictures are the files and what they show.
var pictures = map[string]func() plot.Figure{
	"crossing.svg":   crossing,
	"modulation.svg": modulation,
}

func main() {
	dir := filepath.Join("docs", "img")
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := draw(os.Stdout, dir); err != nil {
		fmt.Fprintln(os.Stderr, "kernelpictures:", err)
		os.Exit(1)
	}
}

func draw(w io.Writer, dir string) error {
	names := make([]string, 0, len(pictures))
	for name := range pictures {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pictures[name]().SVG(plot.Auto), 0o644); err != nil {
			return err
		}
		fmt.Fprintln(w, path)
	}
	return nil
}
