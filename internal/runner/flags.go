package runner

import (
	"encoding/json"
	"strconv"
	"strings"

	"bohier/internal/space"
)

// startFlag stands before the level that was asked for.
const startFlag = " --start "

// flags is what was asked beside the key, as the journal keeps it with the trial and compares
// it with what was asked before. Fixed values of a choice are its texts, whatever type JSON
// gives it, as in journals that are older than those types.
func (a Ask) flags(s *space.Space) (text string) {
	if len(a.Fixed) > 0 {
		text = string(s.AppendTexts(nil, a.Fixed))
	}
	if a.Start > 0 {
		text += startFlag + strconv.FormatFloat(a.Start, 'g', -1, 64)
	}
	return text
}

// startOf is the level that flags asked for; 0: none.
func startOf(flags string) float64 {
	_, level, _ := strings.Cut(flags, startFlag)
	v, _ := strconv.ParseFloat(level, 64) // written by flags
	return v
}

// parseFixed reads the fixed values of flags; behind them the journal notes how many
// trials a key asked for, and at which level.
func parseFixed(s *space.Space, text string) (space.Assignment, error) {
	text, _, _ = strings.Cut(text, " -n ")
	text, _, _ = strings.Cut(text, startFlag)
	if text == "" {
		return nil, nil
	}
	return s.ParsePartial(json.RawMessage(text))
}
