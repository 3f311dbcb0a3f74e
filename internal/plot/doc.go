// Package plot draws figures: as SVG for pages and files, and as text for terminals. It knows
// nothing of studies: a caller fills in a Figure, and draws it at the end.
//
//	f := plot.Figure{Title: "…", Panels: []plot.Panel{{
//		X: plot.Axis{Label: "epoch", Whole: true}, Y: plot.Axis{Label: "loss", Log: true},
//		Series: []plot.Series{{Kind: plot.Line, Label: "trial 7", X: xs, Y: ys, Trials: numbers, Tips: texts}},
//	}}}
//	f.SVG(), f.Text(80), f.Inline(…)
//
// A panel shows series in one pair of axes, a Surface behind them, or parallel coordinates. Points can have the number
// of a trial, by which a page links pictures with one another and with its table, and a tip, which a viewer shows on
// hovering. Colours are tones that people with few colours tell apart, and a ramp from the best to the worst; themes
// describe how they look on light and on dark.
//
// Figures are data and equal figures give equal bytes. Texts may hold anything: signs that a terminal or a browser
// would act upon are escaped. Values may be anything: a value that is not finite leaves a gap.
package plot
