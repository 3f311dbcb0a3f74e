package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

const (
	journal    = "internal/journal"
	program    = "cmd/bohier"
	executions = 40000 // of every fuzz test in every round
	fuzzing    = "fuzz executions"
	whole      = "packages at full length"
)

// tests are the journal's, the quick ones first, and those of a run.
var tests = []step{
	{name: "TestFailingCalls"}, {name: "TestLeasesNeverOverlap"}, {name: "TestMutations"}, {name: "TestFullDisk"},
	{name: "TestFileSizeLimit"}, {name: "TestConcurrency"}, {name: "TestCrash"}, {name: "TestTruncateEverywhere"},
	{name: "TestKillRepairAndArchive"}, {name: "TestKillStorm"}, {name: "TestKillAtFailpoints"},
	{name: "TestFaults", once: true}, {name: "TestLeaseProtocol", once: true}, {name: "TestLeaseInterleavings", once: true},
	{name: "TestPowerFailsUnderTheProgram", once: true}, {name: "TestLeaseProtocolMistakes", once: true},
	{name: "TestLeaseWorld"}, {name: "TestMergeConverges"},
	{name: "TestRunWhoseJournalIsDamaged", pkg: program}, {name: "TestRunUnderSignals", pkg: program},
}

// wanted is the table: what must be reached, by the names the tests report.
var wanted = []struct {
	what string
	n    int
}{
	{"truncations in memory", 130000},
	{"truncations on disk", 10000},
	{"mutations", 500000},
	{"crash states", 50000},
	{"failing system calls", 2000},
	{"processes killed at failpoints and short writes", 4000},
	{"repairs and archives killed on the way", 280},
	{"file-size limits", 700},
	{"kill storm processes", 5000},
	{"concurrent operations under posix", 960},
	{"concurrent operations under posix+lease", 960},
	{"lease sections", 800},
	{"lease sections of crashed holders", 800},
	{"lease sections never begun", 800},
	{"lease sections ended by the lease", 800},
	{"states of the lease protocol", 3000000},
	{"power failures below the program", 200},
	{"lease states", 400000},
	{"orders of calls compared with the protocol", 20000},
	{"lease records acknowledged", 5000},
	{"merges between", 6000},
	{"full disks", 16},
	{"runs whose journal was damaged at a step", 300},
	{"runs that got signals", 390},
	{whole, 10}, // those with tests that are longer in a soak
	{fuzzing, 300000},
	{"seeded faults caught", 15},
}

// A book adds figures up.
type book struct {
	reached map[string]int
	skipped []string
	partial bool // only some of the tests run: the table leaves out what they do not report
}

func newBook() *book { return &book{reached: map[string]int{}} }

var (
	figureLine = regexp.MustCompile(`(?m)\bfigure (.+): (\d+)$`)
	skipLine   = regexp.MustCompile(`(?m)^--- SKIP: (\w+)`)
	execsLine  = regexp.MustCompile(`\bexecs: (\d+)`)
)

// add takes the figures from the output of a step and returns them as text.
func (b *book) add(s step, out string) string {
	var said []string
	put := func(what, n string) {
		v, _ := strconv.Atoi(n) // digits, by the expression
		b.reached[what] += v
		said = append(said, fmt.Sprintf("%s %s", n, what))
	}
	for _, m := range figureLine.FindAllStringSubmatch(out, -1) {
		put(m[1], m[2])
	}
	if m := execsLine.FindAllStringSubmatch(out, -1); s.pkg != "" && len(m) > 0 {
		put(fuzzing, m[len(m)-1][1])
	}
	for _, m := range skipLine.FindAllStringSubmatch(out, -1) {
		b.skipped = append(b.skipped, m[1])
		said = append(said, "skipped")
	}
	return strings.Join(said, ", ")
}

// print writes the table; the error names what was not reached.
func (b *book) print(w io.Writer) error {
	var short []string
	fmt.Fprintln(w, "| test | at least | reached |\n|---|---|---|")
	for _, f := range wanted {
		if b.partial && (b.reached[f.what] == 0 || f.what == whole) {
			continue
		}
		fmt.Fprintf(w, "| %s | %d | %d |\n", f.what, f.n, b.reached[f.what])
		if b.reached[f.what] < f.n {
			short = append(short, f.what)
		}
	}
	if len(b.skipped) > 0 {
		fmt.Fprintf(w, "\nskipped: %s\n", strings.Join(b.skipped, ", "))
	}
	if len(short) > 0 {
		return fmt.Errorf("not reached (give it more time): %s", strings.Join(short, ", "))
	}
	return nil
}
