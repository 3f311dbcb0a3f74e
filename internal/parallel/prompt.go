package parallel

import (
	"context"
	"errors"
)

// Prompt returns the result of f, or the error of ctx as soon as that ends: f, whose steps may take long, is left to
// itself then and must not write to shared memory.
func Prompt[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = Call(func() (err error) {
			r.value, err = f()
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		if p, panicked := errors.AsType[*Panic](r.err); panicked {
			panic(p)
		}
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
