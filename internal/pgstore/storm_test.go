package pgstore

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// TestMain is also the program of the storms: add trials under keys, and say each that
// was acknowledged. And that of a holder of the lock, which is stopped.
func TestMain(m *testing.M) {
	if url := os.Getenv("PGSTORE_HOLDER"); url != "" {
		os.Exit(holder(url))
	}
	if url := os.Getenv("PGSTORE_WRITER"); url != "" {
		os.Exit(writer(url))
	}
	os.Exit(m.Run())
}

func writer(url string) int {
	l, err := Parse(url, "storm", true)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o := options(l.Open(time.Minute))
	o.Memory = &journal.Memory{}
	for k := 0; ; k++ {
		key := fmt.Sprintf("%d-%d", os.Getpid(), k)
		id, err := reserve(context.Background(), o, key)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			if c := code(err); c != study.LockTimeout && c != study.NotRecorded && c != study.PerhapsRecorded {
				return 1
			}
			k-- // run again: the same key
			continue
		}
		fmt.Println(key, id)
	}
}

// soak scales a figure for the long runs.
func soak(short, long int) int {
	if os.Getenv("BOHIER_SOAK") != "" {
		return long
	}
	return short
}

// A proxy stands between clients and the server, and cuts connections off.
type proxy struct {
	net.Listener
	to  string
	cut func(fromServer bool, block int, data []byte) int // bytes of a block to pass on; less than all: cut after that
	// delay is how late a block is, and repeat whether it arrives twice.
	delay  func() time.Duration
	repeat func() bool
	cuts   atomic.Int64
}

func newProxy(t *testing.T, c *server) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{Listener: l, to: fmt.Sprintf("127.0.0.1:%d", c.Port)}
	t.Cleanup(func() { l.Close() })
	return p
}

func (p *proxy) serve() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			client.Close()
			continue
		}
		end := func() { client.Close(); server.Close() }
		go p.copy(server, client, false, end)
		go p.copy(client, server, true, end)
	}
}

func (p *proxy) copy(to, from net.Conn, fromServer bool, end func()) {
	defer end()
	buf := make([]byte, 64<<10)
	for block := 0; ; block++ {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		time.Sleep(p.delay())
		pass := p.cut(fromServer, block, buf[:n])
		if _, err := to.Write(buf[:pass]); err != nil {
			return
		}
		if p.repeat() {
			p.cuts.Add(1)
			_, _ = to.Write(buf[:pass])
		}
		if pass < n {
			p.cuts.Add(1)
			return
		}
	}
}

func (p *proxy) port() int { return p.Addr().(*net.TCPAddr).Port }

// commits reports whether a block, of text that nobody has encrypted, asks for COMMIT or says
// that it is done. BEGIN names READ COMMITTED.
func commits(block []byte) bool { return bytes.Contains(block, []byte("COMMIT\x00")) }

// network cuts connections before COMMIT reaches the server, before its reply, and anywhere (through TLS nobody knows
// what is a COMMIT), delays what passes, and through TLS repeats some of it. Whatever was acknowledged is there, once;
// and what is there was acknowledged or may be asked for again.
func network(t *testing.T, c *server, name, extra string, repeats bool) {
	p := newProxy(t, c)
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(5, 7))
	quiet := true
	p.cut = func(fromServer bool, block int, data []byte) int {
		mu.Lock()
		defer mu.Unlock()
		commit := commits(data)
		switch {
		case quiet:
		case commit && rng.IntN(6) == 0:
			if fromServer || rng.IntN(2) == 0 {
				return 0 // the reply, or the request
			}
		case rng.IntN(60) == 0:
			return rng.IntN(len(data))
		}
		return len(data)
	}
	chance := func(one int) bool {
		mu.Lock()
		defer mu.Unlock()
		return !quiet && rng.IntN(one) == 0
	}
	p.repeat = func() bool { return repeats && chance(40) }
	p.delay = func() time.Duration {
		if chance(10) {
			return 20 * time.Millisecond
		}
		return 0
	}
	url := tcp(c, "wanda", name, p.port())
	if extra != "" {
		url = with(url, extra)
	}
	go p.serve()
	var all acknowledged
	o := options(open(t, url))
	if _, err := reserve(t.Context(), o, "first"); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	quiet = false
	mu.Unlock()
	var group sync.WaitGroup
	var queued atomic.Int64
	want := int64(soak(15, 2000))
	for w := range 4 {
		o := options(open(t, url))
		o.Now = func() time.Time { return time.Unix(0, 0) } // so that two requests differ in nothing
		group.Go(func() {
			for k := 0; p.cuts.Load() < want && t.Context().Err() == nil; k++ {
				key := fmt.Sprintf("%d-%d", w, k)
				id, err := reserve(t.Context(), o, key)
				if err != nil { // it connects again by itself
					t.Error(err)
					return
				}
				all.Add(t, key, id)
				if err := enqueue(t.Context(), o, ""); err != nil { // nothing but the store tells a second one
					t.Error(err)
					return
				}
				queued.Add(1)
			}
		})
	}
	group.Wait()
	all.Check(t, options(open(t, c.URL("rita", name))))
	// Each key stands in the journal once, although commits were tried again.
	s, _, err := journal.Read(t.Context(), options(open(t, c.URL("rita", name))))
	must(t, err)
	if len(s.Trials) != all.Len()+1 {
		t.Errorf("%d trials for %d keys", len(s.Trials), all.Len()+1)
	}
	if int64(len(s.Queue)) != queued.Load() {
		t.Errorf("%d requests are queued, %d were acknowledged", len(s.Queue), queued.Load())
	}
	t.Logf("figure connections cut: %d, keys acknowledged: %d", p.cuts.Load(), all.Len())
}

// twin cuts a connection before COMMIT reaches the server, and has another worker append the
// very same line before the first one asks what became of its own.
func twin(t *testing.T, c *server) {
	p := newProxy(t, c)
	var cut atomic.Bool
	done := make(chan struct{})
	same := func(url string) journal.Options {
		o := options(open(t, url))
		o.Now = func() time.Time { return time.Unix(0, 0) }
		return o
	}
	other := same(c.URL("wanda", "twin"))
	if _, err := reserve(t.Context(), other, "first"); err != nil {
		t.Fatal(err)
	}
	p.repeat = func() bool { return false }
	p.delay = func() time.Duration {
		if cut.Load() {
			<-done
		}
		return 0
	}
	p.cut = func(fromServer bool, block int, data []byte) int {
		if fromServer || !commits(data) || cut.Swap(true) {
			return len(data)
		}
		go func() {
			defer close(done)
			if err := enqueue(t.Context(), other, ""); err != nil {
				t.Error(err)
			}
		}()
		return 0
	}
	go p.serve()
	must(t, enqueue(t.Context(), same(tcp(c, "wanda", "twin", p.port())), ""))
	if s, _, err := journal.Read(t.Context(), other); err != nil || len(s.Queue) != 2 || !cut.Load() {
		t.Errorf("%d requests are queued of two that were acknowledged, %v", len(s.Queue), err)
	}
}

// restarts stops the server as a crash does, and kills it, while clients write.
func restarts(t *testing.T, c *server) {
	var all acknowledged
	var group sync.WaitGroup
	var tries atomic.Int64
	done := make(chan struct{})
	for w := range 4 {
		o := options(open(t, c.URL("wanda", "restarts")))
		o.Memory = &journal.Memory{}
		group.Go(func() {
			for k := 0; ; k++ {
				select {
				case <-done:
					return
				default:
				}
				key := fmt.Sprintf("%d-%d", w, k)
				id, err := reserve(t.Context(), o, key)
				for ; err != nil && (code(err) == study.NotRecorded || code(err) == study.PerhapsRecorded ||
					code(err) == study.LockTimeout); id, err = reserve(t.Context(), o, key) {
					tries.Add(1) // a server that takes long to start: run again, under the same key
				}
				if err != nil {
					t.Error(err)
					return
				}
				all.Add(t, key, id)
			}
		})
	}
	rng := rand.New(rand.NewPCG(3, 5))
	for k := range soak(2, 50) {
		time.Sleep(time.Duration(100+rng.IntN(200)) * time.Millisecond)
		if k%2 == 0 {
			c.Down("immediate")
		} else {
			killServer(t, c)
		}
		c.Up()
	}
	time.Sleep(300 * time.Millisecond)
	close(done)
	group.Wait()
	all.Check(t, options(open(t, c.URL("rita", "restarts"))))
	t.Logf("figure keys acknowledged across restarts: %d, calls that failed and were run again: %d", all.Len(),
		tries.Load())
}

// TestStoreKillStorm kills real processes that write, at any moment. The long form is for make soak.
func TestStoreKillStorm(t *testing.T) {
	if os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("BOHIER_SOAK=1 runs it")
	}
	c := cluster(t)
	for _, workers := range []int{32, 128} {
		storm(t, c, workers, 5000/2)
	}
}

func storm(t *testing.T, c *server, workers, kills int) {
	url := c.URL("wanda", fmt.Sprint("storm", workers))
	var all acknowledged
	var killed atomic.Int64
	var group sync.WaitGroup
	for w := range workers {
		rng := rand.New(rand.NewPCG(uint64(w), 9))
		group.Go(func() {
			for killed.Load() < int64(kills) {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "PGSTORE_WRITER="+url)
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					return
				}
				timer := time.AfterFunc(time.Duration(500+rng.IntN(2500))*time.Millisecond, func() {
					killed.Add(1)
					_ = cmd.Process.Kill()
				})
				for lines := bufio.NewReader(out); ; {
					line, err := lines.ReadString('\n')
					if err == io.EOF || err != nil {
						break // an unfinished line was not told
					}
					key, id, _ := strings.Cut(strings.TrimSpace(line), " ")
					all.Add(t, key, id)
				}
				_ = cmd.Wait()
				timer.Stop()
			}
		})
	}
	group.Wait()
	for c.SQL("tuning", "SELECT count(*) FROM pg_stat_activity WHERE usename = 'wanda'") != "0" { // sessions of the killed
		time.Sleep(time.Second)
	}
	all.Check(t, options(open(t, c.URL("rita", fmt.Sprint("storm", workers)))))
	t.Logf("figure processes killed: %d of %d at once, %d lines acknowledged", killed.Load(), workers, all.Len())
}
