// Package pgstore keeps journals in PostgreSQL (14 and later): a journal.Store.
//
// Start from Parse, which reads a location such as
//
//	postgres://worker@db.example.org/tuning?schema=team_a#NAME
//
// and Location.Open, which connects to nothing yet. Schema is the SQL that an administrator runs once.
//
// A journal is a row of journal (its last line's number and checksum: the head) and a row of
// line for each line. A process that appends locks the head in a transaction, reads the later records, and appends by a
// function of the schema that compares number and checksum of the head, checks each line and moves the head. The lock
// is the transaction's, so the server ends it: with the connection, or when the holder has been silent for 15 s. A
// commit whose reply is lost is looked up under the same lock, where it is either there or never will be: the server is
// asked for the end of that transaction, since another worker may have appended the very same line.
//
// Security. Roles that bohier uses can neither change, remove nor reorder a line: all writing is by functions that
// belong to a role without login. Passwords come from PGPASSWORD, a password file, a service file or a certificate, by
// the rules of PostgreSQL's own clients, never from the location; no message has one. A location that a study file
// gives gets only a password that the user keeps for its host by name.
//
// Errors are *study.Error.
package pgstore
