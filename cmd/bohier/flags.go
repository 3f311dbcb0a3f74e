package main

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohier/internal/exchange"
	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// declare applies a line of help/NAME.txt to a command: "usage", "also" (other names), "takes" (the least and the
// largest number of arguments, and the name of a missing one), "words" (those an argument begins with), "exits" (codes
// beside 0, 1 and 2), "output" (formats, the default first), "flag", or "every" for a flag of the commands below, too.
func (g *globals) declare(c *cobra.Command, line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "usage":
		c.Use = rest
	case "also":
		c.Aliases = strings.Fields(rest)
	case "takes":
		least, rest, _ := strings.Cut(rest, " ")
		most, what, _ := strings.Cut(rest, " ")
		c.Args = args(numeral(least), numeral(most), what)
	case "words":
		c.ValidArgs = strings.Fields(rest)
	case "exits":
		c.Annotations = map[string]string{"exits": "0 1 2 " + rest}
	case "output":
		names := strings.Fields(rest)
		value := &choice{word: names[0], words: names, format: &g.output}
		c.Flags().VarP(value, "output", "o", "`FORMAT`: "+strings.Join(names, ", "))
		g.completes(c, "output", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	case "flag":
		g.addFlag(c, c.Flags(), rest)
	case "every":
		g.addFlag(c, c.PersistentFlags(), rest)
	}
	if g.completing { // descriptions stand as they are, without the marks of the value's name
		plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
		c.Flags().VisitAll(plain)
		c.PersistentFlags().VisitAll(plain)
	}
}

// addFlag adds a flag by its line: NAME[,LETTER] TYPE[(LEAST)|(LEAST,MOST)][=DEFAULT] and its help. A name alone is a
// flag of help/flags.txt, which several commands have. A type with bars is the words to choose from: the first
// is the default, but after a question mark.
func (g *globals) addFlag(c *cobra.Command, f *pflag.FlagSet, line string) {
	names, rest, typed := strings.Cut(line, " ")
	name, letter, _ := strings.Cut(names, ",")
	if !typed {
		_, rest, _ = strings.Cut("\n"+helpText("flags"), "\n"+name)
		rest, _, _ = strings.Cut(rest, "\n")
		g.addFlag(c, f, name+rest)
		return
	}
	kind, help, _ := strings.Cut(rest, " ")
	kind, usual, _ := strings.Cut(kind, "=")
	kind, bounds, bounded := strings.Cut(strings.TrimSuffix(kind, ")"), "(")
	switch kind {
	case "switch":
		f.BoolP(name, letter, usual == "true", help)
	case "count":
		f.CountP(name, letter, help)
	case "int":
		f.IntP(name, letter, numeral(usual), help)
	case "number":
		f.Float64P(name, letter, 0, help)
	case "numbers":
		f.Float64SliceP(name, letter, nil, help)
	case "duration":
		usual, _ := time.ParseDuration(usual)
		f.DurationP(name, letter, usual, help)
	case "text":
		f.StringP(name, letter, "", help)
	case "texts":
		f.StringArrayP(name, letter, nil, help)
	case "list":
		f.StringSliceP(name, letter, nil, help)
	default:
		kind, optional := strings.CutPrefix(kind, "?")
		words := strings.Split(kind, "|")
		value := &choice{words: words}
		if !optional {
			value.word = words[0]
		}
		f.VarP(value, name, letter, help)
		g.completes(c, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	if slices.Contains([]string{"int", "number", "numbers"}, kind) {
		f.Lookup(name).Value = decimal{f.Lookup(name).Value}
	}
	if flag := f.Lookup(name); bounded {
		flag.Value = within{flag.Value, strings.Split(bounds, ",")}
		if flag.DefValue == "0s" { // which help shows of no other type
			flag.DefValue = ""
		}
	}
	if offer := flagOffers[name]; offer != nil {
		g.completes(c, name, g.offers(offer))
	}
}

// decimal is the value of a flag with numbers; pflag itself reads 010 as 8, 1_0 as 10, and 1,5 as two of several.
type decimal struct{ pflag.Value }

// Set accepts decimal numbers.
func (d decimal) Set(text string) error {
	if n, err := strconv.Atoi(text); err == nil {
		text = strconv.Itoa(n)
	} else if strings.ContainsAny(text, "_xXpPoObB,") {
		return strconv.ErrSyntax
	}
	return d.Value.Set(text)
}

// within is the value of a flag with a least and perhaps a greatest number or duration.
type within struct {
	pflag.Value
	ends []string
}

// check is the error where the value of a flag is not between the ends: only once all flags are read, as the form of
// errors is one of them.
func (w within) check(name string) error {
	size := func(text string) float64 {
		if d, err := time.ParseDuration(text); err == nil {
			return float64(d)
		}
		return float64(numeral(text))
	}
	for k, end := range w.ends {
		if v := size(w.String()); k == 0 && v < size(end) || k == 1 && v > size(end) {
			return usage("", "--%s must be at %s %s, not %s", name, []string{"least", "most"}[k], end, w)
		}
	}
	return nil
}

// numeral is a number of the help texts; "any" is −1.
func numeral(text string) int {
	if text == "any" {
		return -1
	}
	n, _ := strconv.Atoi(text)
	return n
}

// completes offers a shell the values of a flag. cobra keeps every completion for ever, so that
// a process that makes the commands anew for each request registers none.
func (g *globals) completes(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if g.kept == nil {
		_ = c.RegisterFlagCompletionFunc(flag, f)
	}
}

// The values of the command's flags by name; a name that no flag has, or of another type, is a fault of the program.

func (s call) text(flag string) string { return s.command.Flag(flag).Value.String() }
func (s call) list(flag string) []string {
	return s.command.Flag(flag).Value.(pflag.SliceValue).GetSlice()
}
func (s call) on(flag string) bool            { return must(s.command.Flags().GetBool(flag)) }
func (s call) count(flag string) int          { return must(s.command.Flags().GetInt(flag)) }
func (s call) number(flag string) float64     { return must(s.command.Flags().GetFloat64(flag)) }
func (s call) span(flag string) time.Duration { return must(s.command.Flags().GetDuration(flag)) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// changed reports whether a flag of the command was given.
func (s call) changed(flag string) bool { return s.command.Flags().Changed(flag) }

// choice is the value of a flag that accepts one of some words.
type choice struct {
	word   string
	words  []string
	format *string // where errors learn of a format that is asked for; nil: the words are none
}

// String is the word chosen.
func (c *choice) String() string { return c.word }

// Type names the value in help.
func (c *choice) Type() string { return strings.Join(c.words, "|") }

// Set accepts one of the words, and of formats any template.
func (c *choice) Set(text string) error {
	last := len(c.words) - 1
	if c.format != nil {
		*c.format = text
	}
	switch {
	case slices.Contains(c.words, text), strings.HasPrefix(text, "template=") && slices.Contains(c.words, "template=…"):
		c.word = text
		return nil
	case c.format != nil:
		return cmp.Or(gone("-o "+text), usage("formats: "+strings.Join(c.words, ", "), "unknown format %q", text))
	}
	return usage("write "+strings.Join(c.words[:last], ", ")+" or "+c.words[last], "unknown value %q", text)
}

// negative is a number that a flag parser takes for flags.
var negative = lazy.Regexp(`(?i)^-(\.?[0-9]|inf|nan)`)

// numbersAreNoFlags lets `observe 7 -0.5` be written as it is: the bare value
// becomes "=-0.5", a value without a name, unless a flag before it takes it.
func numbersAreNoFlags(root *cobra.Command, args []string) []string {
	c, _, err := root.Find(args)
	if err != nil || c.Name() != "observe" {
		return args
	}
	out := slices.Clone(args)
	for i, a := range args {
		if a == "--" {
			break
		}
		if negative().MatchString(a) && (i == 0 || !takesValue(c, args[i-1])) {
			out[i] = "=" + a
		}
	}
	return out
}

// takesValue reports whether the argument is a flag whose value follows.
func takesValue(c *cobra.Command, arg string) bool {
	name, isLong := strings.CutPrefix(arg, "--")
	f := c.Flag(name)
	if short, ok := strings.CutPrefix(arg, "-"); ok && !isLong && len(short) == 1 {
		if f = c.Flags().ShorthandLookup(short); f == nil {
			f = c.InheritedFlags().ShorthandLookup(short)
		}
	} else if !isLong {
		return false
	}
	return f != nil && f.NoOptDefVal == ""
}

func runCompletion(s call, args []string) error {
	root := s.command.Root()
	generate := map[string]func(io.Writer) error{
		"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, "zsh": root.GenZshCompletion,
		"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": root.GenPowerShellCompletionWithDesc,
	}[args[0]]
	if generate == nil {
		return usage("shells: "+strings.Join(s.command.ValidArgs, ", "), "no completions for the shell %q", args[0])
	}
	var script bytes.Buffer
	if err := generate(&script); err != nil {
		return err
	}
	return s.write([]byte(quotesAll.Replace(script.String())))
}

// quotesAll lets bash quote each of several words, and not one alone: it inserts their common lines.
var quotesAll = strings.NewReplacer("if (( ${#COMPREPLY[@]} == 1 )); then", "if (( ${#COMPREPLY[@]} > 0 )); then",
	`COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]}")`,
	`IFS=$'\n' read -ra COMPREPLY -d '' < <(printf "%q\n" "${COMPREPLY[@]}")`)

// assignment reads NAME=VALUE texts; nil for none.
func assignment(st *study.Study, texts []string) (space.Assignment, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	a, err := st.Space.ParseAssignments(texts)
	if err != nil {
		return nil, usage("", "%v", err)
	}
	return a, nil
}

// An offer is the words that a shell shows after the arguments got, where one is typed so far; more:
// they are only the beginnings of arguments.
type offer func(s call, got []string, typed string) (words []string, more bool)

func (g *globals) offers(o offer) cobra.CompletionFunc {
	return func(c *cobra.Command, got []string, typed string) ([]string, cobra.ShellCompDirective) {
		words, more := o(g.of(c), got, typed)
		if more {
			return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// flagOffers are those for the values of flags, by name.
var flagOffers = map[string]offer{"fix": assignments, "actual": assignments, "fill": assignments, "from": tools,
	"objective": func(s call, _ []string, _ string) (names []string, more bool) {
		if st, _, err := s.read(); err == nil {
			names = st.Goals()
		}
		return names, false
	},
	"state": func(call, []string, string) ([]string, bool) { return listedStates, false },
}

// assignments are names of parameters, then the values of choices.
func assignments(s call, _ []string, typed string) (out []string, more bool) {
	st, _, err := s.read()
	if err != nil {
		return nil, true
	}
	name, _, hasValue := strings.Cut(typed, "=")
	for _, p := range st.Space.Params() {
		switch {
		case !hasValue:
			out = append(out, p.Name+"=")
		case p.Name == name:
			out = lists.Of(p.Values, func(v string) string { return name + "=" + v })
		}
	}
	return out, true
}

// parameterNames are those of parameters that vary and are not named yet, as many as the command takes.
func parameterNames(s call, got []string, _ string) (names []string, more bool) {
	st, _, err := s.read()
	if err != nil || s.command.Args(s.command, append(got, "")) != nil {
		return nil, false
	}
	names = lists.Of(st.Space.Coordinates(), func(i int) string { return st.Space.Param(i).Name })
	return lists.Only(names, func(name string) bool { return !slices.Contains(got, name) }), false
}

// trialsIn are the ids of trials in one of the states; none: any.
func trialsIn(states ...study.State) offer {
	return func(s call, got []string, _ string) (ids []string, more bool) {
		session, err := s.session()
		if err != nil || len(got) > 0 {
			return nil, false
		}
		state, _, err := session.Read(s.ctx)
		if err != nil {
			return nil, false
		}
		return lists.Of(selectTrials(state.Trials, states), func(t *study.Trial) string {
			return t.ID() + "\t" + string(t.State)
		}), false
	}
}

// tools are those whose files are read.
func tools(call, []string, string) (out []string, more bool) {
	return lists.Of(exchange.Spaces, func(tool string) string { return tool + ":" }), true
}
