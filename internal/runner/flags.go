package runner

import (
	"encoding/json"
	"strconv"
	"strings"

	"bohier/internal/space"
)

// fixedText is the canonical form of fixed values, kept with the trial and compared
// with what was asked before: a choice is its text, whatever type JSON gives it, as
// in journals that are older than those types.
func fixedText(s *space.Space, a space.Assignment) string {
	if len(a) == 0 {
		return ""
	}
	return string(s.AppendTexts(nil, a))
}

// startFlag stands before the level that was asked for.
const startFlag = " --start "

// flags is what was asked beside the key, as the journal keeps it.
func (a Ask) flags(s *space.Space) string {
	if a.Start > 0 {
		return fixedText(s, a.Fixed) + startFlag + strconv.FormatFloat(a.Start, 'g', -1, 64)
	}
	return fixedText(s, a.Fixed)
}

// startOf is the level that flags asked for; 0: none.
func startOf(flags string) float64 {
	_, level, _ := strings.Cut(flags, startFlag)
	v, _ := strconv.ParseFloat(level, 64) // written by flags
	return v
}

// parseFixed reads what fixedText wrote; behind it the journal notes how many
// trials a key asked for, and at which level.
func parseFixed(s *space.Space, text string) (space.Assignment, error) {
	text, _, _ = strings.Cut(text, " -n ")
	text, _, _ = strings.Cut(text, startFlag)
	if text == "" {
		return nil, nil
	}
	return s.ParsePartial(json.RawMessage(text))
}
