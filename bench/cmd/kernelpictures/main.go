// Kernelpictures draws the picture of docs/kernels.md:
//
//	go run ./bench/cmd/kernelpictures          # into docs/img
//	go run ./bench/cmd/kernelpictures DIR
//
// The kernels and the drawing are the program's own.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// picture is the name of the file.
const picture = "crossing.svg"

func main() {
	dir := filepath.Join("docs", "img")
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := draw(dir); err != nil {
		fmt.Fprintln(os.Stderr, "kernelpictures:", err)
		os.Exit(1)
	}
}

func draw(dir string) error {
	return os.WriteFile(filepath.Join(dir, picture), crossing().SVG(), 0o644)
}
