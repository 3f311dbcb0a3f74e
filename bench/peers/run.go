package peers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"time"

	"bohier/bench/problems"
)

// A Peer is an optimizer by the command that runs its adapter.
type Peer struct {
	Name    string
	Command []string
	Noise   float64 // standard deviation of normal noise on the values that it is told
}

// A Run is one run of a peer on a problem: the fields of arena's files, and what the
// process cost. A run that Failed says why and has the evaluations until then.
type Run struct {
	Problem string    `json:"problem"`
	Variant string    `json:"variant"`
	Seed    uint64    `json:"seed"`
	N       int       `json:"n"`
	Best    []float64 `json:"best"` // best so far after every evaluation
	// With noise Best is of the values without it, and these are those, without noise, of the
	// configuration with the best value and of the one that the peer recommends in the end.
	Noise       float64  `json:"noise,omitempty"`
	Luckiest    *float64 `json:"luckiest,omitempty"`
	Recommended *float64 `json:"recommended,omitempty"`
	CPU         float64  `json:"cpu_seconds"`       // of the peer's process and its children
	Memory      int64    `json:"memory_kb"`         // its largest resident set
	Version     string   `json:"version,omitempty"` // of the peer
	Space       string   `json:"space,omitempty"`   // native or flat
	Failed      string   `json:"failed,omitempty"`
}

// hello is the first line of an adapter.
type hello struct {
	Peer    string `json:"peer"`
	Version string `json:"version"`
	Space   string `json:"space"`
}

// Limit is the longest that a peer may take to start or for one configuration.
const Limit = 2 * time.Minute

// longest is the length of a line in bytes that a peer may write.
const longest = 1 << 20

// Run runs the peer. The error is nil where the peer is at fault.
func (p Peer) Run(caller context.Context, problem *problems.Problem, seed uint64, n int, limit time.Duration) (*Run,
	error) {
	r := &Run{Problem: problem.Name, Variant: p.Name, Seed: seed, N: n, Noise: p.Noise}
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	isolate(cmd)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0") // SMAC's suggestions depend on the order of sets
	cmd.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	cmd.Stderr = &tail{&said}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		if caller.Err() != nil {
			return nil, context.Cause(caller)
		}
		r.Failed = err.Error()
		return r, nil
	}
	clock := time.AfterFunc(limit, func() { cancel(fmt.Errorf("no answer within %v", limit)) })
	defer clock.Stop()
	fault := r.converse(problem, in, bufio.NewReaderSize(out, longest), func() { clock.Reset(limit) })
	in.Close()
	if fault != nil {
		cancel(fault)
	}
	_ = cmd.Wait()
	if cmd.ProcessState != nil {
		r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		r.Memory = residentKB(cmd.ProcessState)
	}
	if fault == nil {
		return r, nil // it had nothing left to do: how it ends is its own affair
	}
	var local *localError
	if errors.As(fault, &local) {
		return nil, local.error
	}
	if caller.Err() != nil { // whatever the peer did then
		return nil, context.Cause(caller)
	}
	why := lastLine(said.String())
	if why == "" && errors.Is(fault, errEnded) {
		why = cmd.ProcessState.String()
	}
	r.Failed = strings.TrimSuffix(strings.Join(strings.Fields(fmt.Sprintf("%v: %s", context.Cause(ctx), why)), " "), ":")
	return r, nil
}

var errEnded = errors.New("it ended before its next configuration")

// A localError is no fault of the peer's.
type localError struct{ error }

// converse tells the peer its task and evaluates what it asks for; answered is called after every line of the peer.
func (r *Run) converse(p *problems.Problem, in io.Writer, out *bufio.Reader, answered func()) error {
	objectives := 1
	if p.Front != nil {
		objectives = 2
	}
	task, err := json.Marshal(map[string]any{"problem": p, "seed": r.Seed, "n": r.N, "noisy": r.Noise > 0,
		"objectives": objectives})
	if err != nil {
		return &localError{err}
	}
	if _, err := fmt.Fprintf(in, "%s\n", task); err != nil {
		return fmt.Errorf("it does not read: %w", err)
	}
	var h hello
	if err := next(out, &h); err != nil {
		return err
	}
	answered()
	if r.Version, r.Space = h.Version, h.Space; h.Space != "native" && h.Space != "flat" {
		return fmt.Errorf("the space is %q; an adapter says native or flat", h.Space)
	}
	if h.Space == "flat" {
		p = p.Flat()
	}
	var truth []float64
	var front [][]float64
	lowest := math.Inf(1)
	luck := rand.New(rand.NewPCG(r.Seed, 0x6e6f697365))
	for len(r.Best) < r.N {
		x := map[string]any{}
		if err := next(out, &x); err != nil {
			return err
		}
		answered()
		point, err := p.Point(x)
		if err != nil {
			return fmt.Errorf("evaluation %d is outside the space: %w", len(r.Best)+1, err)
		}
		y, err := p.Value(point)
		if err != nil {
			return &localError{err}
		}
		best, second := y, ""
		if p.Front != nil {
			z := p.Front.Second(point)
			front, second = append(front, []float64{y, z}), fmt.Sprintf(" %v", z)
			best = p.Front.Missing(front)
		}
		if k := len(r.Best); k > 0 {
			best = min(best, r.Best[k-1])
		}
		r.Best = append(r.Best, best)
		truth = append(truth, y)
		if r.Noise > 0 {
			if y += r.Noise * luck.NormFloat64(); y < lowest {
				lowest, r.Luckiest = y, &truth[len(truth)-1]
			}
		}
		if _, err := fmt.Fprintf(in, "%v%s\n", y, second); err != nil && len(r.Best) < r.N {
			return fmt.Errorf("it ended after evaluation %d", len(r.Best))
		}
	}
	if r.Recommended = r.Luckiest; r.Noise > 0 {
		var last struct{ Recommend int } // most peers take what was luckiest
		if err := next(out, &last); err == nil && last.Recommend > 0 && last.Recommend <= len(truth) {
			r.Recommended = &truth[last.Recommend-1]
		}
	}
	return nil
}

// next reads a line of JSON into v.
func next(out *bufio.Reader, v any) error {
	line, err := out.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("it wrote more than %d bytes without a line's end", longest)
	}
	if err != nil {
		return errEnded
	}
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("it wrote %.80q: %w", line, err)
	}
	return nil
}

// A tail keeps the last of what is written.
type tail struct{ *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	if t.Len() > 1<<16 {
		t.Next(t.Len() - 1<<12)
	}
	return t.Buffer.Write(p)
}

// lastLine is the last line that is not empty.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
