// Package text makes texts safe and measures them: what a terminal would act upon
// becomes visible, and widths are columns of a terminal.
package text
