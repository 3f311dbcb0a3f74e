package pgstore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// A mutation is what one who owns the tables may do to journal m; it draws the statements
// to run. n is the number of its lines.
type mutation struct {
	name string
	draw func(r *rand.Rand, n int) string
}

const (
	mine   = "journal = (SELECT id FROM mutable.kept WHERE name = 'm')"
	others = "journal = (SELECT id FROM mutable.kept WHERE name = 'n')"
	head   = "UPDATE mutable.journal SET "
)

func line(r *rand.Rand, n int) string { return fmt.Sprintf("seq = %d AND %s", 1+r.IntN(n), mine) }

// anything is a number that a sequence number may be taken for.
func anything(r *rand.Rand, n int) int64 {
	odd := []int64{-1 << 63, -1, 0, 1, 1 << 31, 1<<63 - 1}
	if r.IntN(3) == 0 {
		return odd[r.IntN(len(odd))]
	}
	return int64(r.IntN(2*n)) - int64(n)/2
}

var mutations = []mutation{
	{"a byte", func(r *rand.Rand, n int) string {
		return fmt.Sprintf("UPDATE mutable.line SET line = set_byte(line, %d %% length(line), %d) WHERE %s", r.IntN(1<<20),
			r.IntN(256), line(r, n))
	}},
	{"a part", func(r *rand.Rand, n int) string {
		return fmt.Sprintf(`UPDATE mutable.line SET line = overlay(line placing '\x%08x'::bytea from %d for %d) WHERE %s`,
			r.Uint32(), 1+r.IntN(80), r.IntN(9), line(r, n))
	}},
	{"a line cut short", func(r *rand.Rand, n int) string {
		return fmt.Sprintf("UPDATE mutable.line SET line = substring(line FROM 1 FOR %d) WHERE %s", r.IntN(60), line(r, n))
	}},
	{"a longer line", func(r *rand.Rand, n int) string {
		tail := []string{`' '::bytea`, `'\x0a'::bytea`, `'\x0a7b7d'::bytea`, `'\x00'::bytea`, `line`,
			`repeat('x', 2000000)::bytea`}
		return fmt.Sprintf("UPDATE mutable.line SET line = line || %s WHERE %s", tail[r.IntN(len(tail))], line(r, n))
	}},
	{"deleted lines", func(r *rand.Rand, n int) string {
		from := 1 + r.IntN(n)
		return fmt.Sprintf("DELETE FROM mutable.line WHERE seq BETWEEN %d AND %d AND %s", from, from+r.IntN(3), mine)
	}},
	{"a line again", func(r *rand.Rand, n int) string {
		return fmt.Sprintf("INSERT INTO mutable.line SELECT journal, %d, line FROM mutable.line WHERE %s", anything(r, n),
			line(r, n))
	}},
	{"swapped lines", func(r *rand.Rand, n int) string {
		a, b := 1+r.IntN(n), 1+r.IntN(n)
		return fmt.Sprintf("UPDATE mutable.line SET seq = CASE seq WHEN %d THEN %d ELSE %[1]d END WHERE seq IN (%[1]d, "+
			"%[2]d) AND %[3]s", a, b, mine)
	}},
	{"another number", func(r *rand.Rand, n int) string {
		return fmt.Sprintf("UPDATE mutable.line SET seq = %d WHERE %s", anything(r, n), line(r, n))
	}},
	{"somebody else's row", func(r *rand.Rand, n int) string {
		text := []string{"''", "'hello'", `'\x00ff'`, `'{}'`, `'{"seq":1}'`, "repeat('[', 100000)::bytea"}
		return fmt.Sprintf("INSERT INTO mutable.line SELECT id, %d, %s FROM mutable.kept WHERE name = 'm'", anything(r, n),
			text[r.IntN(len(text))])
	}},
	{"another study's line", func(r *rand.Rand, n int) string {
		k := 1 + r.IntN(n)
		return fmt.Sprintf("UPDATE mutable.line SET line = (SELECT line FROM mutable.original WHERE seq = %d AND %s) WHERE "+
			"seq = %[1]d AND %s", k, others, mine)
	}},
	{"lines given away", func(r *rand.Rand, n int) string {
		return fmt.Sprintf("UPDATE mutable.line SET journal = (SELECT id FROM mutable.kept WHERE name = 'n') WHERE seq > "+
			"%d AND %s", r.IntN(n), mine)
	}},
	{"two studies in one", func(*rand.Rand, int) string {
		return "UPDATE mutable.line SET journal = (SELECT id FROM mutable.kept WHERE name = 'm') WHERE " + others
	}},
	{"the head's number", func(r *rand.Rand, n int) string {
		return fmt.Sprintf(head+"seq = %d WHERE name = 'm'", anything(r, n))
	}},
	{"the head's checksum", func(r *rand.Rand, _ int) string {
		sums := []string{"upper(sum)", "''", "'00000000'", "'x'", "sum || sum", "'+' || sum", "' ' || sum", "reverse(sum)",
			fmt.Sprintf("'%08x'", r.Uint32())}
		return head + "sum = " + sums[r.IntN(len(sums))] + " WHERE name = 'm'"
	}},
	{"rolled back", func(r *rand.Rand, n int) string {
		k := r.IntN(n)
		sum := "'00000000'"
		if k > 0 {
			sum = fmt.Sprintf("(SELECT convert_from(substring(line FROM length(line) - 9 FOR 8), 'UTF8') FROM "+
				"mutable.original WHERE seq = %d AND %s)", k, mine)
		}
		return fmt.Sprintf("DELETE FROM mutable.line WHERE seq > %d AND %s; %sseq = %[1]d, sum = %[4]s WHERE name = 'm'", k,
			mine, head, sum)
	}},
	{"another name", func(*rand.Rand, int) string { return head + "name = 'elsewhere' WHERE name = 'm'" }},
	{"names exchanged", func(*rand.Rand, int) string {
		return head + "name = CASE name WHEN 'm' THEN 'n' ELSE 'm' END WHERE name IN ('m', 'n')"
	}},
	{"nothing left", func(*rand.Rand, int) string { return "TRUNCATE mutable.line; TRUNCATE mutable.journal" }},
}

// mutated changes, removes and inserts rows at random, one to three times, without the tables' own constraints. A
// process that knows the journal finds it as it was and may write on, or says that it is damaged (exit 6) and how it is
// cured; one that comes new may also find an earlier state where the head was moved to match, and both a journal of
// another run, or none, in its place.
func mutated(t *testing.T, c *server) {
	if os.Getenv("BOHIER_SOAK") == "" {
		mutatedIn(t, c, "mutable", 20)
		return
	}
	for k := range 8 {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			mutatedIn(t, c, fmt.Sprint("mutable", k), 1250)
		})
	}
}

func mutatedIn(t *testing.T, c *server, schema string, rounds int) {
	text, err := Schema(schema)
	must(t, err)
	c.SQL("tuning", text)
	in := func(statements string) string { return strings.ReplaceAll(statements, "mutable", schema) }
	c.SQL("tuning", in(`GRANT mutable_worker TO wanda;
ALTER TABLE mutable.line DROP CONSTRAINT line_line_check; ALTER TABLE mutable.line DROP CONSTRAINT line_pkey; ALTER TABLE mutable.line DROP CONSTRAINT line_journal_fkey`))
	at := func(name string) journal.Options {
		l := mustParse(t, with(c.URL("wanda", name), "schema="+schema), name, true)
		o := options(l.Open(time.Second))
		o.LockTimeout = time.Second
		return o
	}
	const lines = 12
	for _, name := range []string{"m", "n"} {
		for k := range lines - 1 {
			must(t, enqueue(t.Context(), at(name), fmt.Sprint(name, k)))
		}
	}
	owner, err := open(t, c.URL("postgres", "m")).dial(t.Context(), false)
	must(t, err)
	defer closeNow(owner)
	do := func(statements string) {
		t.Helper()
		if _, err := owner.Exec(t.Context(), in(statements), pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s: %v", statements, err)
		}
	}
	do(`SET synchronous_commit = off; CREATE TABLE mutable.kept AS SELECT * FROM mutable.journal; CREATE TABLE mutable.original AS SELECT * FROM mutable.line`)
	whole := map[string][]string{} // the keys of each run, in their order
	for _, name := range []string{"m", "n"} {
		s, _, err := journal.Read(t.Context(), at(name))
		must(t, err)
		whole[s.Run] = keysOf(s)
	}
	store := at("m").Store // one connection for all of them
	r := rand.New(rand.NewPCG(uint64(rounds), uint64(schema[len(schema)-1])))
	counts := map[string]int{}
	for round := range rounds {
		known, fresh := at("m"), at("m")
		known.Store, fresh.Store, known.Memory = store, store, &journal.Memory{}
		was, _, err := journal.Read(t.Context(), known)
		must(t, err)
		what, statements := "", ""
		for range 1 + r.IntN(3)*r.IntN(2) {
			m := mutations[r.IntN(len(mutations))]
			what += m.name + "; "
			statements += m.draw(r, lines) + ";\n"
		}
		if _, err := owner.Exec(t.Context(), in(statements), pgx.QueryExecModeSimpleProtocol); err != nil &&
			state(err) != "23505" && state(err) != "22003" && state(err) != "2202E" {
			t.Fatalf("%s: %v", statements, err) // not all go together
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("round %d, %s%s\n%s", round, what, fmt.Sprintf(format, args...), statements)
		}
		// seen says what an error or a state is worth.
		seen := func(who string, s *journal.State, err error) string {
			switch {
			case code(err) == study.Damaged && hintOf(err) != "":
				return "found"
			case err != nil:
				fail("%s: exit %d: %v; hint: %s", who, code(err), err, hintOf(err))
			case !s.Exists:
				return "no journal, as after an archive"
			case s.Run != was.Run && slices.Equal(keysOf(s), whole[s.Run]):
				return "another whole journal"
			case s.Run == was.Run && slices.Equal(keysOf(s), keysOf(was)):
				return "as it was"
			case who == "new" && len(keysOf(s)) < lines && slices.Equal(keysOf(s), whole[s.Run][:len(keysOf(s))]):
				return "an earlier state"
			default:
				fail("%s: silently %q", who, keysOf(s))
			}
			return ""
		}
		s, _, err := journal.Read(t.Context(), fresh)
		first := seen("new", s, err)
		counts[first]++
		if rep, err := journal.Verify(t.Context(), fresh); first != "no journal, as after an archive" &&
			(err != nil || (len(rep.Problems) > 0) != (first == "found")) {
			fail("verify says %+v, %v; to one that comes new it is %s", rep, err, first)
		}
		s, _, err = journal.Read(t.Context(), known)
		if it := seen("known", s, err); it == "as it was" && first == "an earlier state" {
			fail("one that knew more does not notice")
		}
		// A writer that comes new writes where it could read.
		if err := enqueue(t.Context(), fresh, "more"); (err == nil) != (first != "found") ||
			err != nil && code(err) != study.Damaged {
			fail("it is %s, and writing gives %v", first, err)
		}
		do(`TRUNCATE mutable.line; TRUNCATE mutable.journal; INSERT INTO mutable.journal OVERRIDING SYSTEM VALUE SELECT * FROM mutable.kept; INSERT INTO mutable.line SELECT * FROM mutable.original`)
	}
	t.Logf("%d mutations; to one that comes new: %v", rounds, counts)
	if counts["found"] < rounds/2 || counts["as it was"] == 0 {
		t.Error("the mutations do not do what they should")
	}
}

// keysOf are the keys of what a journal was asked for.
func keysOf(s *journal.State) []string {
	out := []string{}
	for _, q := range s.Queue {
		out = append(out, q.Key)
	}
	return out
}
