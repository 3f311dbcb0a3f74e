package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohier/internal/journal"
	"bohier/internal/parallel"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// globals are the flags of every command.
type globals struct {
	call
	verbose   int
	quiet     bool
	logFormat string
	color     string
	output    string // the format asked for with -o, for printing errors
}

// runProgram runs the program and returns its exit code.
func runProgram(ctx context.Context, s streams, args []string) int {
	s.Line = s.Stderr
	s.Stderr = messages{s.Stderr}
	g := globals{call: call{ctx: ctx, streams: s}}
	root := newRoot(&g)
	root.SetArgs(numbersAreNoFlags(root, args))
	root.SetIn(s.Stdin)
	root.SetOut(s.Stdout)
	root.SetErr(s.Stderr)
	err := cause(ctx, parallel.Call(func() error { return root.ExecuteContext(ctx) }))
	var fault *parallel.Panic
	if errors.As(err, &fault) {
		if s.Faulted != nil {
			s.Faulted()
		}
		err = unexpected(s, fault)
	}
	switch {
	case err == nil, errors.As(err, new(alreadyReported)):
	case g.output == "json" || g.output == "jsonl":
		line, _ := report.JSON(failure(err))
		_, _ = s.Stderr.Write(line)
	case g.logFormat == "json":
		log := newLogger(s.Stderr, "json", 0, false)
		log.Error().Int("code", exitCode(err)).Str("hint", hint(err)).Msg(err.Error())
	default:
		printError(s.Stderr, err)
	}
	return exitCode(err)
}

// A call is one run of a command: the world around it, and where its flags say the study is.
type call struct {
	streams
	place
	ctx     context.Context // ends with the command, and the reading of pipes and terminals
	command *cobra.Command
	format  format // asked for with -o
}

// run lets a command begin a call; its arguments are the words that are no flags.
func (g *globals) run(do func(s call, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		s := g.call
		s.ctx, s.command = c.Context(), c
		if f := c.Flags().Lookup("output"); f != nil {
			s.format = *f.Value.(*format)
		}
		return do(s, args)
	}
}

// command is a command with the exit codes that are its own.
func (g *globals) command(use string, fits cobra.PositionalArgs, do func(call, []string) error,
	codes ...int) *cobra.Command {
	return &cobra.Command{Use: use, Args: fits, Annotations: exits(codes...), RunE: g.run(do)}
}

// onStudy lets a command begin with the study, and onTrials with its trials, too.
func onStudy(do func(s call, session runner.Session, args []string) error) func(call, []string) error {
	return func(s call, args []string) error {
		session, err := s.session()
		if err != nil {
			return err
		}
		return do(s, session, args)
	}
}

func onTrials(do func(call, runner.Session, *journal.State, []string) error) func(call, []string) error {
	return onStudy(func(s call, session runner.Session, args []string) error {
		state, err := s.state(session)
		if err != nil {
			return err
		}
		return do(s, session, state, args)
	})
}

// changed reports whether a flag of the command was given.
func (s call) changed(flag string) bool { return s.command.Flags().Changed(flag) }

func newRoot(g *globals) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:           "bohier",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: g.run(func(s call, args []string) error {
			switch {
			case len(args) > 0:
				return unknownCommand(s.command, args[0])
			case version:
				return runVersion(s, nil)
			}
			help(s.Stdout, s.command)
			return nil
		}),
		PersistentPreRunE: func(*cobra.Command, []string) error { return g.begin() },
	}
	cobra.EnableCommandSorting = false
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp(g))
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help(g.Stdout, c) })
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolVarP(&version, "version", "V", false, "print the version")
	f := root.PersistentFlags()
	f.StringVarP(&g.study, "config", "c", "", "study `FILE` (else $BOHIER_CONFIG, else ./bohier.yaml)")
	f.StringVar(&g.journal, "journal", "",
		"journal `FILE` or postgres://… (else $BOHIER_JOURNAL, else as the study file says)")
	f.StringVar(&g.trials, "trials-dir", "",
		"keep the files of trials in `DIR` (else $BOHIER_TRIALS_DIR, else beside the journal)")
	f.StringVar(&g.context, "context", "",
		"what values are measured under, a `TEXT` (else $BOHIER_CONTEXT, else as the study file says)")
	f.DurationVar(&g.lockTimeout, "lock-timeout", time.Minute, "time limit for the journal's lock, a `DURATION`")
	f.CountVarP(&g.verbose, "verbose", "v", "``print more messages; -vv prints details")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "errors only")
	g.oneOf(root, f, &g.logFormat, "log-format", "form of the messages on stderr", "text", "json")
	g.oneOf(root, f, &g.color, "color", "use of colours", "auto", "always", "never")
	root.AddCommand(commands(g)...)
	describe(root)
	root.AddCommand(extraCommands...)
	for words := range dropped {
		if !strings.Contains(words, " ") {
			root.AddCommand(&cobra.Command{Use: words, Hidden: true, DisableFlagParsing: true,
				RunE: func(*cobra.Command, []string) error { return gone(words) }})
		}
	}
	return root
}

// extraCommands are those of builds with further tags.
var extraCommands []*cobra.Command

// commands lists the verbs in the order of the manual.
func commands(g *globals) []*cobra.Command {
	return []*cobra.Command{
		newInit(g), newCheck(g),
		newSuggest(g), newObserve(g), newVerdict(g), newRun(g),
		newStatus(g), newTrials(g), newShow(g), newBest(g), newGate(g),
		newAdd(g), newImport(g), newExport(g), newEnqueue(g), newReturn(g), newAbandon(g),
		newPredict(g), newScore(g), newExplain(g), newModel(g), newPlot(g), newReport(g),
		newJournal(g), newMigrate(g), newDoctor(g),
		newServe(g), g.command("schema [COMMAND] [flags]", args(0, 2, ""), runSchema, 7), newCompletion(g), newVersion(g),
	}
}

// begin applies the global flags once they are parsed.
func (g *globals) begin() error {
	if g.lockTimeout <= 0 {
		return usage("", "--lock-timeout must be positive")
	}
	g.Log = newLogger(g.Stderr, g.logFormat, g.verbose, g.quiet)
	switch g.color {
	case "always":
		g.Color = true
	case "never":
		g.Color = false
	default:
		g.Color = g.Screen && g.env("NO_COLOR") == "" && g.env("TERM") != "dumb"
	}
	return nil
}

// flagValues names the values of flags by the types that pflag gives them.
var flagValues = map[string]string{
	"bool": "true or false", "int": "a whole number", "float64": "a number",
	"float64Slice": "numbers", "duration": "a duration such as 30m",
}

// dropped says what is in the place of commands and forms that were
// (docs/decisions/0015-what-no-page-needs-goes.md).
var dropped = map[string]string{
	"plot rank":         "`bohier plot parallel` shows where good trials lie",
	"plot distribution": "`bohier plot convergence` shows the values of the design and of the model",
	"plot timeline":     "`bohier trials --columns id,worker,suggested_at,observed_at --sort worker`",
	"help output": "`bohier schema COMMAND` prints the JSON Schema of what a command prints; docs/reference/json.md " +
		"lists them",
	"export optuna":      "examples/clients/to_optuna.py adds the trials to a study of Optuna",
	"import csv":         "`bohier add --csv FILE` adds a table of ours",
	"import jsonl":       "`bohier add --json FILE` adds trials of ours",
	"export configspace": "`bohier export jsonl` has the trials; ConfigSpace's own API makes a space",
}

// gone is the error of words that older versions took; nil: no version did.
func gone(words string) error {
	if now := dropped[words]; now != "" {
		return usage(now, "bohier %s is gone", words)
	}
	return nil
}

// droppedFlags says what is in the place of flags that were.
var droppedFlags = []struct{ command, flag, now string }{
	{"bohier trials", "out", "`bohier export csv:FILE` is for spreadsheets, `bohier trials -o csv > FILE` is exact"},
	{"bohier trials", "safe-cells", "`bohier export csv:FILE` is for spreadsheets"},
	{"bohier journal cat", "follow", "`tail -f` on a file; `bohier status --watch`"},
	{"bohier journal cat", "f", "`tail -f` on a file; `bohier status --watch`"},
	{"bohier plot importance", "by", "shares are Sobol indices; what is missing to 100 % are interactions"},
	{"bohier plot", "theme", "pictures follow the viewer's preference of light or dark"},
}

// flagError says what to do about a flag that cannot be read.
func flagError(c *cobra.Command, err error) error {
	hint := "see: " + c.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		for _, was := range droppedFlags {
			if strings.HasPrefix(c.CommandPath(), was.command) && unknown.GetSpecifiedName() == was.flag {
				return usage(was.now, "%s no longer has the flag %s", c.CommandPath(), was.flag)
			}
		}
	}
	if unknown != nil && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) }) // those of every command, too
		if near, ok := space.Nearest(unknown.GetSpecifiedName(), names); ok {
			hint = "did you mean --" + near + "?"
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		if told := new(study.Error); errors.As(err, &told) {
			return usage(told.Hint, "--%s: %s", f.Name, told.Msg)
		}
		if needed := flagValues[f.Value.Type()]; needed != "" {
			return usage(hint, "--%s needs %s, not %q", f.Name, needed, invalid.GetValue())
		}
	}
	return usage(hint, "%v", err)
}

func unknownCommand(c *cobra.Command, name string) error {
	hint := "see: " + c.CommandPath() + " --help"
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(hint, "unknown command %q", name)
}

func newHelp(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND | study [KEY]]",
		Short:       "Help about a command, or the keys of the study file",
		Annotations: exits(),
		RunE: g.run(func(s call, args []string) error {
			switch {
			case len(args) > 0 && args[0] == "study":
				return helpStudy(s.Stdout, args[1:])
			case len(args) > 0 && args[0] == "output":
				return gone("help output")
			}
			root := s.command.Root()
			target, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, strings.Join(args, " "))
			}
			if err := gone(target.Use); err != nil {
				return err
			}
			help(s.Stdout, target)
			return nil
		}),
	}
}

// args accepts between least and most positional arguments; most < 0 is any
// number.
func args(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, got []string) error {
		switch {
		case len(got) < least:
			return usage("usage: "+c.UseLine(), "missing argument: %s", what)
		case most >= 0 && len(got) > most:
			hint := "usage: " + c.UseLine()
			if ext := filepath.Ext(got[most]); ext == ".yaml" || ext == ".yml" {
				hint = "name the study file with -c " + got[most]
			}
			return usage(hint, "unexpected argument %q", got[most])
		}
		return nil
	}
}
