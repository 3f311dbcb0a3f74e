package journal

import (
	"context"
	"encoding/json"
	"slices"

	"bohier/internal/study"
)

// Migrate adopts the space and study of o for a journal that was made with
// another space, and records that. fill gives old trials their values of new
// parameters, as a JSON object; nil gives none. Trials that still do not fit are
// kept as data (Outside); a fill may come later and bring them back. It returns
// the state after and what was adopted, one line each; none means that there was
// nothing to adopt.
func Migrate(ctx context.Context, o Options, fill json.RawMessage) (*State, []string, error) {
	o.adoptSpace = true
	var lines []string
	s, err := Update(ctx, o, func(s *State) ([]Record, error) {
		lines = nil
		same := s.Space == o.Space.Fingerprint()
		outside := slices.ContainsFunc(s.Trials, func(t study.Trial) bool { return t.Outside })
		if !s.Exists || same && (fill == nil || !outside) {
			return nil, nil
		}
		lines = conditions(s.Study, o.Study)
		switch {
		case same:
			lines = []string{"+ fill: " + string(fill)}
		case len(lines) == 0:
			lines = []string{"~ space: " + s.Space + " → " + o.Space.Fingerprint()}
		}
		return []Record{{Kind: KindMigrate, Space: o.Space.Fingerprint(), Study: o.Study, Fill: fill}}, nil
	})
	return s, lines, err
}
