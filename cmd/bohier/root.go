package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/parallel"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// globals are the values that the commands of a run share.
type globals struct {
	call
	output string // the format asked for with -o, for printing errors
	unread error  // help that could not be delivered

	completing bool // it is a shell that asks
}

// runProgram runs the program and returns its exit code.
func runProgram(ctx context.Context, s streams, args []string) int {
	s.Line = s.Stderr
	s.Stderr = messages{s.Stderr}
	g := globals{call: call{ctx: ctx, streams: s}}
	root := newRoot(&g, args...)
	err := cmp.Or(cause(ctx, parallel.Call(func() error { return root.ExecuteContext(ctx) })), g.unread)
	if fault, ok := errors.AsType[*parallel.Panic](err); ok {
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
	case root.Flag("log-format").Value.String() == "json":
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
	// The format asked for with -o, and the rest of "template=…".
	format, template string
}

// of is the call of a command.
func (g *globals) of(c *cobra.Command) call {
	s := g.call
	s.ctx, s.command = c.Context(), c
	s.study, s.journal, s.trials, s.context = s.text("config"), s.text("journal"), s.text("trials-dir"), s.text("context")
	s.lockTimeout = s.span("lock-timeout")
	if f := c.Flags().Lookup("output"); f != nil {
		s.format, s.template, _ = strings.Cut(f.Value.String(), "=")
	}
	return s
}

// command is a command that does something, and all that help/NAME.txt says of it: its words but for
// the first are the name of the command above.
func (g *globals) command(name string, do func(s call, args []string) error, offer offer) *cobra.Command {
	c := &cobra.Command{Args: args(0, 0, "")}
	c.RunE = func(c *cobra.Command, args []string) error { return do(g.of(c), args) }
	g.describe(c, name)
	if offer != nil {
		c.ValidArgsFunction = g.offers(offer)
	}
	return c
}

// onStudy lets a command begin with the study, onTrials with a view of it whose journal it reads, and onJournal with a
// journal that exists.
func onStudy(do func(s call, session runner.Session, args []string) error) func(call, []string) error {
	return func(s call, args []string) error {
		session, err := s.session()
		if err != nil {
			return err
		}
		return do(s, session, args)
	}
}

func onTrials(do func(v *view, args []string) error) func(call, []string) error {
	return onStudy(func(s call, session runner.Session, args []string) error { return do(s.view(session), args) })
}

func onJournal(do func(s call, o journal.Options) error) func(call, []string) error {
	return func(s call, _ []string) error {
		options, err := s.existingJournal()
		if err != nil {
			return err
		}
		return do(s, options)
	}
}

// newRoot is the program for so many arguments: of the commands only the one that they name, if they
// begin with its name.
func newRoot(g *globals, args ...string) *cobra.Command {
	g.completing = len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	root := g.command("bohier", func(s call, args []string) error {
		if len(args) == 0 && s.on("version") {
			return runVersion(s, nil)
		}
		return runGroup(s, args)
	}, nil)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return g.begin(g.of(c)) }
	cobra.EnableCommandSorting = false
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp(g))
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { g.unread = g.help(c) })
	root.SetFlagErrorFunc(flagError)
	list := verbs()
	if len(args) > 0 && args[0] != "completion" {
		others := func(v verb) bool { return v.name != args[0] && !strings.HasPrefix(v.name, args[0]+" ") }
		if one := slices.DeleteFunc(slices.Clone(list), others); len(one) > 0 {
			list = one
		}
	}
	for _, v := range list {
		above := root
		if group, _, within := strings.Cut(v.name, " "); within {
			above, _, _ = root.Find([]string{group})
		}
		above.AddCommand(g.command(v.name, v.run, v.offer))
	}
	root.AddCommand(extraCommands...)
	root.SetArgs(numbersAreNoFlags(root, args))
	root.SetOut(g.Stdout)
	root.SetErr(g.Stderr)
	return root
}

// extraCommands are those of builds with further tags.
var extraCommands []*cobra.Command

// A verb is a command by its name, which for those of a group begins with that of the group: its action, and the
// completions of its arguments.
type verb struct {
	name  string
	run   func(s call, args []string) error
	offer offer
}

// verbs are all commands, in the order of the manual.
func verbs() []verb {
	list := []verb{
		{"init", runInit, nil}, {"check", runCheck, nil},
		{"suggest", onStudy(runSuggest), nil}, {"observe", onStudy(runObserve), trialsIn(study.Pending)},
		{"verdict", onTrials(runVerdict), trialsIn(study.Pending, study.Paused)}, {"run", runRun, nil},
		{"status", runStatus, nil}, {"trials", onTrials(runTrials), nil}, {"show", onTrials(runShow), trialsIn()},
		{"best", onTrials(runBest), nil}, {"gate", onTrials(runGate), nil},
		{"add", runAdd, assignments}, {"import", runImport, tools}, {"export", runExport, nil},
		{"enqueue", onStudy(runEnqueue), assignments}, {"return", onStudy(runReturn), trialsIn(study.Pending)},
		{"abandon", onStudy(runAbandon), trialsIn(study.Pending)},
		{"predict", onTrials(runPredict), nil}, {"score", onTrials(runScore), nil},
		{"explain", onStudy(runExplain), trialsIn()}, {"model", onTrials(runModel), nil}, {"plot", runGroup, nil},
		{"report", runReport, nil},
		{"journal", runGroup, nil}, {"journal verify", onJournal(runVerify), nil},
		{"journal repair", onJournal(runRepair), nil},
		{"journal replay", onStudy(runReplay), nil}, {"journal merge", onStudy(runMerge), nil},
		{"journal archive", runArchive, nil}, {"journal copy", runCopy, nil}, {"journal cat", onJournal(runCat), nil},
		{"journal schema", runDatabaseSchema, nil},
		{"migrate", onStudy(runMigrate), nil}, {"doctor", runDoctor, nil}, {"serve", runServe, nil},
		{"schema", runSchema, nil}, {"completion", runCompletion, nil}, {"version", runVersion, nil},
	}
	for _, k := range plotKinds {
		list = append(list, verb{"plot " + k.name, k.run, parameterNames})
	}
	return list
}

// begin applies the global flags once they are parsed.
func (g *globals) begin(s call) error {
	if err := startPoller(); err != nil {
		return err
	}
	g.Log = newLogger(g.Stderr, s.text("log-format"), must(s.command.Flags().GetCount("verbose")), s.on("quiet"))
	plain := !g.Screen || g.env("NO_COLOR") != "" || g.env("TERM") == "dumb"
	g.Color = s.text("color") == "always" || s.text("color") == "auto" && !plain
	var err error
	s.command.Flags().Visit(func(f *pflag.Flag) {
		if w, ok := f.Value.(within); ok {
			err = cmp.Or(err, w.check(f.Name))
		}
	})
	return err
}

// flagValues names the values of flags by the types that pflag gives them.
var flagValues = map[string]string{
	"bool": "true or false", "int": "a whole number", "float64": "a number",
	"float64Slice": "a number", "duration": "a duration such as 30m",
}

// gone is the error of words that older versions took; nil: no version did
// (docs/decisions/0015-what-no-page-needs-goes.md).
func gone(words string) error {
	for was, now := range helpTable("gone") {
		if was == words {
			return usage(now, "bohier %s is gone", words)
		}
	}
	return nil
}

// flagError advises on a flag that cannot be read.
func flagError(c *cobra.Command, err error) error {
	hint := "see: " + c.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		for was, now := range helpTable("gone") {
			command, flag, _ := strings.Cut(was, " --")
			if strings.HasPrefix(c.CommandPath(), "bohier "+command) && unknown.GetSpecifiedName() == flag {
				return usage(now, "%s no longer has the flag %s", c.CommandPath(), flag)
			}
		}
	}
	if unknown != nil && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) }) // those of every command, too
		hint = space.DidYouMean("--"+unknown.GetSpecifiedName(), names, hint)
		if f := c.Flag("output"); f != nil {
			if o, ok := f.Value.(*choice); ok && slices.Contains(o.words, unknown.GetSpecifiedName()) {
				hint = "write -o " + unknown.GetSpecifiedName()
			}
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
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
	if err := gone(strings.TrimPrefix(c.CommandPath(), "bohier ") + " " + name); err != nil {
		return err
	}
	known := lists.Of(c.Commands(), (*cobra.Command).Name)
	rest := "see: " + c.CommandPath() + " --help"
	if c.HasParent() {
		rest = "one of: " + strings.Join(known, ", ")
	}
	return usage(space.DidYouMean(name, known, rest), "unknown command %q", name)
}

func newHelp(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND | study [KEY]]",
		Short:       "Help about a command, or the keys of the study file",
		Annotations: map[string]string{"exits": "0 1 2 7"},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && args[0] == "study":
				return helpStudy(g.streams, args[1:])
			case len(args) > 0 && args[0] == "output":
				return gone("help output")
			}
			target, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(c.Root(), strings.Join(args, " "))
			}
			return g.help(target)
		},
	}
}

// runGroup lists the commands of a group.
func runGroup(s call, args []string) error {
	if len(args) > 0 {
		return unknownCommand(s.command, args[0])
	}
	return s.help(s.command)
}

// args accepts between least and most positional arguments; most < 0 is any number.
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
