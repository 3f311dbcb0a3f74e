// Package parallel runs functions in goroutines of their own, as sync.WaitGroup does. A panic
// of one is a panic of who waits for it, so that the program ends in one place.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
)

// A Panic is the error for a panic: its value, where it was in this module, and the stack.
type Panic struct {
	Value any
	Place string // file:line; empty: not in this module
	Stack []byte
}

func (p *Panic) Error() string {
	text, _, _ := strings.Cut(fmt.Sprint(p.Value), "\n")
	if p.Place != "" {
		text += " (" + p.Place + ")"
	}
	return text
}

// Call calls f. A panic of f is the error, of type *Panic.
func Call(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = caught(v)
		}
	}()
	return f()
}

// caught is the Panic of a value that was recovered; one that comes from a Group as it is.
func caught(v any) *Panic {
	if p, again := v.(*Panic); again {
		return p
	}
	return &Panic{v, place(), debug.Stack()}
}

// place is the innermost line of this module below the panic.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	f, more := frames.Next() // this function
	root := strings.TrimSuffix(f.File, "internal/parallel/parallel.go")
	for panicked := false; more; panicked = panicked || f.Function == "runtime.gopanic" {
		f, more = frames.Next()
		if file, ours := strings.CutPrefix(f.File, root); panicked && ours {
			return fmt.Sprintf("%s:%d", file, f.Line)
		}
	}
	return ""
}

// Each runs tasks 0…n−1, each on one of so many workers, and waits for them.
func Each(workers, n int, run func(worker, task int)) {
	if workers <= 1 || n == 1 {
		for t := range n {
			run(0, t)
		}
		return
	}
	var next atomic.Int64
	var wg Group
	for w := range min(workers, n) {
		wg.Go(func() {
			for t := int(next.Add(1)) - 1; t < n; t = int(next.Add(1)) - 1 {
				run(w, t)
			}
		})
	}
	wg.Wait()
}

// A Group waits for goroutines. The zero value is ready; it must not be copied.
type Group struct {
	wait  sync.WaitGroup
	once  sync.Once
	panic *Panic // the first
}

// Go calls f in a goroutine.
func (g *Group) Go(f func()) {
	g.wait.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				p := caught(v)
				g.once.Do(func() { g.panic = p })
			}
		}()
		f()
	})
}

// Wait waits for all goroutines, and panics with a *Panic if one of them did.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.panic != nil {
		panic(g.panic)
	}
}
