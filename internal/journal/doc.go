// Package journal keeps a study's state: an append-only file of JSON lines that is the only
// authority on suggestions and observations.
//
// Start from Read, which folds a journal into a State without a lock and never writes, and Update, which locks, reads,
// lets the caller decide on records from that very state, appends them and syncs before it returns. The decisions
// themselves (Reserve, Suggest, Observe, Abandon, Add, …) are methods of State that return records and write nothing.
//
// Invariants. Line i carries seq = i, the checksum of line i−1 and its own (CRC-32C of the bytes before `,"crc":`); a
// line counts only if all three hold. Trials[k] has number k+1. The records of an update are one write followed by one
// fdatasync, or a few of 64 KiB each, and no write begins before the one before is known to be on disk. A crash leaves
// a whole prefix, after it at most unacknowledged records of one update, and a part of one write. The lines of an
// update say one time; before an older one stands a space.
//
// docs/reference/journal.md lists the records and the files beside a journal. Two files of a lease
// stay when nobody writes.
//
// Times. The `at` of a record is informative; no decision depends on a wall
// clock. Leases are timed on the process's own monotonic clock.
//
// Concurrency. Read and Update may be called from any number of goroutines, processes and hosts. A State belongs to its
// caller and is not safe for concurrent writing.
//
// Errors are *study.Error with the exit code of the program and a hint; misuse
// (a record of an unknown kind handed to Update) panics.
//
// README.md has the promises P1 to P10, and the tests that hold them.
//
// TestFaults seeds mistakes in this package and expects these tests to fail. BOHIER_SOAK=1 runs everything at full
// length; make soak does so until its time is up.
//
// References. Open-file-description locks: fcntl(2), Linux ≥ 3.15. Why a failed fdatasync is never retried: Rebello et
// al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020.
package journal
