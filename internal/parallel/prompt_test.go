package parallel_test

import (
	"context"
	"errors"
	"testing"

	"bohier/internal/parallel"
)

func TestPrompt(t *testing.T) {
	if n, err := parallel.Prompt(t.Context(), func() (int, error) { return 3, nil }); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	wrong := errors.New("wrong")
	if _, err := parallel.Prompt(t.Context(), func() (int, error) { return 0, wrong }); !errors.Is(err, wrong) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	forever := make(chan int)
	defer close(forever)
	_, err := parallel.Prompt(ctx, func() (int, error) { cancel(); return <-forever, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a function that goes on: %v", err)
	}
	defer func() {
		if p, ok := recover().(*parallel.Panic); !ok || p.Value != "here" {
			t.Errorf("a panic becomes %v", p)
		}
	}()
	_, _ = parallel.Prompt(t.Context(), func() (int, error) { panic("here") })
}
