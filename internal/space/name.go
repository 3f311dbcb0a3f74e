package space

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Reserved lists the words of the condition language that cannot be names.
var Reserved = []string{"and", "or", "not", "in", "true", "false", "any", "all", "active"}

// notInNames are the characters that would end a name where it is quoted, assigned or a placeholder.
const notInNames = "\"'`\\={}"

var joiners = strings.NewReplacer(`\u200c`, "\u200c", `\u200d`, "\u200d")

// Name is a name in the form in which names are compared: Unicode's composed one (NFC, UAX #15).
func Name(text string) string { return norm.NFC.String(text) }

// CheckName reports why a text cannot be the name of a parameter, a constraint or a fidelity.
func CheckName(name string) error {
	for _, r := range name {
		switch {
		case strings.ContainsRune(notInNames, r):
			return fmt.Errorf("a name cannot hold %c", r)
		case !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' || r == unicode.ReplacementChar: // joiners are spelling
			return fmt.Errorf("a name cannot hold the character %U", r)
		}
	}
	switch {
	case name == "":
		return errors.New("a name cannot be empty")
	case len(name) > MaxName:
		return fmt.Errorf("a name has %d bytes; at most %d", len(name), MaxName)
	case strings.TrimSpace(name) != name:
		return errors.New("a name cannot begin or end with a blank")
	case name != Name(name):
		return errors.New("a name must be in composed form (NFC)")
	}
	return nil
}

// IsWord reports whether a name is one word: letters, marks, digits and _, no digit first.
// It stands in conditions without quotes.
func IsWord(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsMark(r) && !unicode.IsNumber(r)) {
			return false
		}
	}
	return name != ""
}

// Quoted is a name or value as conditions and fingerprints have it: in quotes unless it is
// an ASCII word.
func Quoted(text string) string {
	other := func(r rune) bool { return r > unicode.MaxASCII }
	if IsWord(text) && !strings.ContainsFunc(text, other) && !slices.Contains(Reserved, text) {
		return text
	}
	return joiners.Replace(strconv.Quote(text))
}

// Variable is a name as a variable of shells: ASCII letters, digits and _ stay, every other
// ASCII character becomes _, and any other u with its code point, such as gru00f6u00dfe for größe.
func Variable(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, "u%04x", r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// EnvVariable is the variable of a command's environment that holds the value of a parameter.
func EnvVariable(parameter string) string {
	return "BOHIER_P_" + strings.ToUpper(Variable(parameter))
}

// NameOf is the name here of a parameter of another tool: its own name, with _ for every character
// that names cannot have.
func NameOf(source string) string {
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if CheckName("x"+string(r)+"x") != nil {
			return '_'
		}
		return r
	}, Name(source)))
	if name == "" || slices.Contains(Reserved, name) || strings.HasPrefix(name, "x-") {
		name = "p_" + name
	}
	return name
}
