package main

const (
	journal    = "internal/journal"
	program    = "cmd/bohier"
	executions = 40000 // of every fuzz test in every round
	fuzzing    = "fuzz executions"
)

// tests are the journal's, the quick ones first, and those of a run.
var tests = []step{
	{name: "hosts", run: "bench/soak/hosts", once: true},
	{name: "TestFailingCalls"}, {name: "TestLeasesNeverOverlap"}, {name: "TestMutations"}, {name: "TestFullDisk"},
	{name: "TestFileSizeLimit"}, {name: "TestConcurrency"}, {name: "TestCrash"}, {name: "TestTruncateEverywhere"},
	{name: "TestKillRepairAndArchive"}, {name: "TestKillStorm"}, {name: "TestPausedHolders"},
	{name: "TestKillAtFailpoints"},
	{name: "TestFaults", once: true}, {name: "TestLeaseProtocol", once: true},
	{name: "TestLeaseInterleavings", once: true},
	{name: "TestPowerFailsUnderTheProgram", once: true}, {name: "TestPowerFailsUnderTheFileSystem", once: true},
	{name: "TestLeaseProtocolMistakes", once: true},
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
	{"kill storm processes", 14789},
	{"kill storm processes killed", 8066},
	{"paused holders of a lease", 150},
	{"concurrent operations under posix", 960},
	{"concurrent operations under posix+lease", 960},
	{"lease sections", 800},
	{"lease sections of crashed holders", 800},
	{"lease sections never begun", 800},
	{"lease sections ended by the lease", 800},
	{"states of the lease protocol", 3000000},
	{"power failures below the program", 200},
	{"power failures below the file system", 240},
	{"lease states", 400000},
	{"orders of calls compared with the protocol", 20000},
	{"lease records acknowledged", 5000},
	{"merges between", 6000},
	{"full disks", 16},
	{"runs whose journal was damaged at a step", 300},
	{"runs that got signals", 390},
	{fuzzing, 300000},
	{"seeded faults caught", 15},
}

// zeros are figures that must stay 0, however often a soak runs.
var zeros = []string{
	"hosts: acknowledged values lost", "hosts: ids given twice", "hosts: other ends",
	"kill storm records lost or changed", "kill storm ids given twice", "kill storm configurations given twice",
	"kill storm other ends",
}
