package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium that is told what to do over a pipe, in the
// messages of its DevTools protocol, each ended by a zero byte.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	id      int
	events  []message
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// newBrowser starts Chromium; a test without one is skipped.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{os.Getenv("BOHIER_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	switch {
	case path == "":
		t.Skip("there is no chromium here: apt-get install chromium, or name one in BOHIER_CHROMIUM")
	case os.Getenv("BOHIER_SOAK") == "" && os.Getenv("BOHIER_CHROMIUM") == "":
		t.Skip("a browser takes seconds: BOHIER_SOAK=1 or BOHIER_CHROMIUM=chromium runs this")
	}
	in, to, err := os.Pipe()
	noError(t, err)
	from, out, err := os.Pipe()
	noError(t, err)
	profile, err := os.MkdirTemp("", "bohier-chromium-") // its helpers may write when it has ended
	noError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	c := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--remote-debugging-pipe",
		"--user-data-dir="+profile, "--no-first-run", "about:blank")
	c.ExtraFiles = []*os.File{in, out}
	noError(t, c.Start())
	_, _ = in.Close(), out.Close()
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		b.send("", "Browser.close", nil)
		_ = c.Wait()
		cancel()
		_ = os.RemoveAll(profile)
		_, _ = to.Close(), from.Close()
	})
	var target struct{ TargetID, SessionID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) send(session, method string, params any) int {
	b.id++
	raw, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	if params == nil {
		raw = []byte("{}")
	}
	line, err := json.Marshal(message{ID: b.id, SessionID: session, Method: method, Params: raw})
	if err == nil {
		_, err = b.to.Write(append(line, 0))
	}
	if err != nil && method != "Browser.close" {
		b.t.Fatal(err)
	}
	return b.id
}

// call sends a message and waits for its answer; events that come first are kept.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	id := b.send(b.session, method, params)
	for {
		m := b.next()
		switch {
		case m.ID != id:
			b.events = append(b.events, m)
			continue
		case m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		case result != nil:
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

func (b *browser) next() (m message) {
	b.t.Helper()
	raw, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser went away: %v", err)
	}
	if err := json.Unmarshal(raw[:len(raw)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// open shows a file in a window of that size and waits until it is loaded.
func (b *browser) open(file string, width, height int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": "file://" + filepath.ToSlash(file)}, nil)
	for {
		for _, e := range b.events {
			if e.Method == "Page.loadEventFired" {
				return
			}
		}
		b.events = append(b.events, b.next())
	}
}

// complaints are errors of the page, and what it asked for beside itself.
func (b *browser) complaints() (out []string) {
	b.eval("1") // events before this have come
	for _, e := range b.events {
		var p struct {
			Request          struct{ URL string }
			Entry            struct{ Level, Text string }
			ExceptionDetails struct {
				Text      string
				Exception struct{ Description string }
			}
			Type string
		}
		_ = json.Unmarshal(e.Params, &p)
		switch e.Method {
		case "Network.requestWillBeSent":
			if !strings.HasSuffix(p.Request.URL, ".html") && !strings.HasPrefix(p.Request.URL, "data:") {
				out = append(out, "asks for "+p.Request.URL)
			}
		case "Log.entryAdded":
			out = append(out, p.Entry.Level+": "+p.Entry.Text)
		case "Runtime.exceptionThrown":
			out = append(out, p.ExceptionDetails.Text+" "+p.ExceptionDetails.Exception.Description)
		case "Runtime.consoleAPICalled":
			out = append(out, "console: "+p.Type)
		}
	}
	return out
}

// eval is the value of an expression in the page, as JSON writes it.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return string(r.Result.Value)
}

// is compares what an expression gives with what it should.
func (b *browser) is(what, expression, want string) {
	b.t.Helper()
	if got := b.eval(expression); got != want {
		b.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// number is eval of a number.
func (b *browser) number(expression string) (v float64) {
	b.t.Helper()
	if _, err := fmt.Sscan(b.eval(expression), &v); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func (b *browser) mouse(kind string, x, y float64) {
	button := map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
	if kind == "mouseMoved" {
		button["button"] = "none"
	}
	b.call("Input.dispatchMouseEvent", button, nil)
}

func (b *browser) drag(x1, y1, x2, y2 float64) {
	b.mouse("mousePressed", x1, y1)
	b.mouse("mouseMoved", (x1+x2)/2, (y1+y2)/2)
	b.mouse("mouseMoved", x2, y2)
	b.mouse("mouseReleased", x2, y2)
}

func (b *browser) key(name string) {
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name}, nil)
	}
}

// screenshot writes the whole page to DIR/NAME.png where BOHIER_SCREENSHOTS names a directory.
func (b *browser) screenshot(name string) {
	dir := os.Getenv("BOHIER_SCREENSHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), raw, 0o666)
	}
	if err != nil {
		b.t.Error(err)
	}
}
