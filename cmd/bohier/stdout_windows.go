package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// nowhere reports whether what is written to f can have no reader: here a closed
// output has no handle.
func nowhere(f *os.File) bool {
	h := windows.Handle(f.Fd())
	return h == 0 || h == windows.InvalidHandle
}
