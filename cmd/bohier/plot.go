package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/plot"
	"bohier/internal/space"
	"bohier/internal/study"
)

type plotOptions struct {
	out   outFile
	theme string
	x     string // of convergence
	y     string
	by    string // of importance
	log   bool   // axes of objectives
	fix   []string
	of    objectiveFlag
}

func newPlot(g *globals) *cobra.Command {
	var o plotOptions
	c := &cobra.Command{
		Use:         "plot KIND [flags]",
		Args:        args(1, -1, "what to draw; see bohier plot --help"),
		Annotations: exits(6, 7, 9, 11, 130),
		RunE: func(c *cobra.Command, got []string) error {
			var uses, names []string
			for _, k := range plotKinds {
				name, _, _ := strings.Cut(k.use, " ")
				uses, names = append(uses, strings.TrimSuffix(k.use, " [NAME…]")), append(names, name)
			}
			hint := "there are: " + strings.Join(uses, ", ")
			if near, ok := space.Nearest(got[0], names); ok {
				hint = "did you mean " + near + "?"
			}
			return usage(hint, "unknown plot %q", got[0])
		},
	}
	f := c.PersistentFlags()
	f.StringVarP((*string)(&o.out), "out", "o", "", "write the picture to `FILE`, as SVG")
	g.oneOf(c, f, &o.theme, "theme", "colours of the picture", "auto", "light", "dark")
	c.PersistentPreRunE = func(c *cobra.Command, got []string) (err error) {
		if err = c.Root().PersistentPreRunE(c, got); err == nil {
			_, err = o.out.kind(g.call, "svg")
		}
		if strings.EqualFold(filepath.Ext(string(o.out)), ".png") {
			err = usage("write -o FILE.svg; `rsvg-convert FILE.svg -o FILE.png` makes dots of it", "pictures are no longer written as PNG")
		}
		if err == nil && slices.Contains([]string{"svg", "text", "json"}, string(o.out)) {
			err = usage("write -o FILE."+string(o.out), "-o names a file, not a format")
		}
		return err
	}
	o.of.add(f, c, g)
	for _, k := range plotKinds {
		c.AddCommand(k.command(g, &o))
	}
	return c
}

var themes = map[string]plot.Theme{"auto": plot.Auto, "light": plot.Light, "dark": plot.Dark}

// completeParameters offers the names of parameters, up to so many; most < 0: any
// number.
func (g *globals) completeParameters(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, got []string, _ string) (names []string, d cobra.ShellCompDirective) {
		st, _, err := g.call.read()
		if err != nil || most >= 0 && len(got) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, i := range st.Space.Coordinates() {
			if name := st.Space.Param(i).Name; !slices.Contains(got, name) {
				names = append(names, name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// scale is the scale of axes of objectives; empty: what shows the good values.
func (o *plotOptions) scale() string {
	if o.log {
		return "log"
	}
	return strings.TrimPrefix(o.y, "auto")
}

// deliver writes the picture where it was asked for.
func (o *plotOptions) deliver(s call, f plot.Figure) error {
	theme := themes[o.theme]
	switch {
	case o.out.stdout() && o.out != "-" && s.Screen:
		return s.print(f.Text(cmp.Or(s.Columns, 80)))
	case o.out.stdout():
		return s.write(f.SVG(theme))
	}
	return o.out.save(s, f.SVG(theme))
}

// parameters finds parameters that vary by their names.
func parameters(st *study.Study, names []string) ([]int, error) {
	var out []int
	for _, name := range names {
		i, err := st.Space.Lookup(name)
		switch {
		case err != nil:
			return nil, usage("", "%v", err)
		case st.Space.CoordOf(i) < 0:
			return nil, usage("", "%s is constant", name)
		case slices.Contains(out, i):
			return nil, usage("", "%s is named twice", name)
		}
		out = append(out, i)
	}
	return out, nil
}
