package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// browsedStudy is a study with conditions, failures, categories and a log scale, and hostile texts, of n trials.
func browsedStudy(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	var lines strings.Builder
	for k := range n {
		x, lr := math.Mod(float64(k)*0.618, 1), math.Pow(10, -5*math.Mod(float64(k)*0.414, 1))
		params := fmt.Sprintf(`"x":%.4f,"lr":%.3g,"opt":"adam"`, x, lr)
		if k%3 == 0 {
			params = fmt.Sprintf(`"x":%.4f,"lr":%.3g,"opt":"sgd <b>","momentum":%.2f`, x, lr, math.Mod(float64(k)*0.33, 1))
		}
		result := fmt.Sprintf(`"values":{"loss":%.5f}`, 0.01+(x-0.3)*(x-0.3)+0.05*math.Pow(math.Log10(lr)+2, 2))
		if k%10 == 7 {
			result = `"fail":"infeasible","note":"<script>alert(1)</script>"`
		}
		fmt.Fprintf(&lines, "{\"params\":{%s},%s}\n", params, result)
	}
	for name, text := range map[string]string{
		"trials.jsonl": lines.String(),
		"bohier.yaml": `name: "digits <i>"
objective: {name: loss, direction: minimize}
space:
  x: {type: float, low: 0, high: 1}
  lr: {type: float, low: 1e-5, high: 1, scale: log}
  opt: [adam, "sgd <b>"]
  momentum: {type: float, low: 0, high: 1, active_if: {opt: "sgd <b>"}}
budget: {trials: 2000}
seed: 1
`,
	} {
		mustWrite(t, filepath.Join(dir, name), text)
	}
	for _, args := range [][]string{{"add", "--json", "trials.jsonl"}, {"report", "--out", "report.html"}} {
		if code, _, errs := inProcess(dir, args...); code != 0 {
			t.Fatal(errs)
		}
	}
	return filepath.Join(dir, "report.html")
}

// The report in a real browser: no error, no request, and everything it offers works.
func TestReportInABrowser(t *testing.T) {
	b := newBrowser(t)
	file := browsedStudy(t, 60)
	b.open(file, 1280, 900)
	is := b.is
	shown := `document.querySelectorAll('tbody tr[data-t]:not([hidden])').length`
	first := func(c int) string {
		return fmt.Sprintf(`document.querySelectorAll('.trials tbody tr')[0].cells[%d].textContent`, c)
	}
	b.screenshot("wide")
	b.golden("report-1280")
	is("pictures without a size", `[...document.querySelectorAll('svg.p')].filter(s => s.getBoundingClientRect().width < 100 && getComputedStyle(s.parentNode).display !== 'none').length`, "0")
	if n := b.number(`document.querySelectorAll('figure svg.p').length`); n < 11 {
		t.Errorf("%v pictures", n)
	}
	is("marks that the style sheet does not know",
		`[...document.querySelectorAll('.p path')].filter(p => getComputedStyle(p).stroke === 'none' && getComputedStyle(p).fill === 'none').length`, "0")
	is("wider than the window", `document.documentElement.scrollWidth <= innerWidth`, "true")

	// The table sorts by numbers, up and down, failed trials last.
	is("trials", shown, "60")
	b.eval(`[...document.querySelectorAll('th button')].find(b => b.textContent === 'loss').click()`)
	is("sorted", `document.querySelector('th[aria-sort]').textContent + document.querySelector('th[aria-sort]').getAttribute('aria-sort')`, `"lossascending"`)
	is("the least first", first(0)+` === document.querySelector('tr.best').cells[0].textContent`, "true")
	is("failed ones last", `[...document.querySelectorAll('.trials tbody tr')].slice(-6).every(r => r.className === 'failed')`, "true")
	b.eval(`[...document.querySelectorAll('th button')].find(b => b.textContent === 'id').click()`)
	is("by number, not by letter", first(0)+`.split('-')[0]`, `"1"`)

	// The filter takes words and comparisons, in the table and in every picture.
	filter := func(text string) {
		b.eval(fmt.Sprintf(`document.querySelector('input').value = %q; document.querySelector('input').dispatchEvent(new Event('input'))`, text))
	}
	filter("failed")
	is("failed", shown, "6")
	is("said", `document.querySelector('output').textContent`, `"6 of 60 trials"`)
	filter("lr<0.001 adam")
	is("compared", shown+` === [...document.querySelectorAll('tbody tr[data-t]')].filter(r => r.textContent.includes('adam') && +r.cells[`+column(b, "lr")+`].textContent < 0.001).length`, "true")
	is("dimmed in parallel coordinates", `document.querySelectorAll('.brush path.off').length + `+shown, "60")
	is("dimmed in convergence", `[...document.querySelectorAll('.wide path.ghost')].some(p => p.getAttribute('d').length > 100)`, "true")
	b.eval(`document.querySelector('.clear').click()`)
	is("cleared", shown, "60")

	// Dragging along an axis picks trials; a click lets go.
	b.eval(`document.querySelector('figure.brush').scrollIntoView()`)
	axis := func(what string) float64 {
		return b.number(`(r => r.` + what +
			`)([...document.querySelectorAll('.axis')].pop().querySelector('rect[tabindex]').getBoundingClientRect())`)
	}
	x, top, height := axis("left")+axis("width")/2, axis("top"), axis("height")
	b.drag(x, top+height-3, x, top+height*0.7) // the lowest third of the losses
	is("brushed", shown+` > 3 && `+shown+` < 40`, "true")
	is("those inside", `[...document.querySelectorAll('tbody tr[data-t]:not([hidden])')].every(r => r.className !== 'failed')`, "true")
	b.screenshot("brushed")
	b.mouse("mousePressed", x, top+height/2)
	b.mouse("mouseReleased", x, top+height/2)
	is("let go", shown, "60")

	// A point tells whose it is, everywhere.
	b.eval(`document.querySelector('.wide').scrollIntoView({block: 'center'})`)
	point := func(what string) float64 {
		return b.number(`(() => { const p = document.querySelector('.wide svg path[data-t]'), [, x, y] = p.getAttribute('d').match(/M(\S+) ([\d.]+)/); return new DOMPoint(+x, +y).matrixTransform(p.getScreenCTM()).` + what + `; })()`)
	}
	b.mouse("mouseMoved", point("x")+2, point("y")+2)
	is("a tip", `document.getElementById('tip').hidden`, "false")
	is("of that trial", `document.getElementById('tip').textContent.startsWith('trial ' + document.querySelector('tr.hot').cells[0].textContent + '\nstate  ')`, "true")
	is("in other pictures", `[...document.querySelectorAll('figure')].filter(f => [...f.querySelectorAll('.hot')].some(p => p.getAttribute('d'))).length >= 4`, "true")
	is("no markup in tips", `document.querySelectorAll('#tip *').length`, "0")

	// Dragging zooms, Escape goes back; arrows walk from point to point.
	plot := `document.querySelector('.wide svg[data-x]')`
	ticks := plot + `.parentNode.querySelector('g.x').textContent`
	before := b.eval(ticks)
	px, py := b.number(plot+`.getBoundingClientRect().left`), b.number(plot+`.getBoundingClientRect().top`)
	b.drag(px+100, py+20, px+300, py+120)
	if after := b.eval(ticks); after == before || b.eval(plot+`.dataset.zoomed`) != `"true"` {
		t.Errorf("zoomed: %s, then %s", before, after)
	}
	b.screenshot("zoomed")
	b.eval(`document.querySelector('.reset').click()`)
	is("the whole picture", ticks, before)
	b.eval(`document.querySelector('.wide svg.p').focus()`)
	b.key("Escape") // the pointer may be at a point
	b.key("ArrowRight")
	b.key("ArrowRight")
	is("the second trial", `document.querySelector('tr.hot').dataset.t`, `"2"`)
	if c := b.complaints(); c != nil {
		t.Errorf("the browser complains: %q", c)
	}

	// On a phone nothing but scroll boxes is wider than the screen, in the dark text is legible.
	b.call("Emulation.setEmulatedMedia",
		map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	b.open(file, 400, 800)
	b.screenshot("narrow")
	b.golden("report-400-dark")
	is("wider than the phone", `document.documentElement.scrollWidth`, "400")
	is("the narrow picture", `getComputedStyle(document.querySelector('.wide')).display + getComputedStyle(document.querySelector('.narrow')).display`, `"noneblock"`)
	if size := b.number(`(s => 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width)(document.querySelector('.narrow svg'))`); size < 9 {
		t.Errorf("text of pictures has %v pixels on a phone", size)
	}
	if least := b.number(contrast); least < 4.5 {
		t.Errorf("contrast %v in the dark", least)
	}
	b.call("Emulation.setEmulatedMedia",
		map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "light"}}}, nil)
	if least := b.number(contrast); least < 4.5 {
		t.Errorf("contrast %v in the light", least)
	}
	// Without its script the page shows the same pictures, and offers nothing that needs it.
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.open(file, 1280, 900)
	is("tools without the script", `[...document.querySelectorAll('.tools, .try')].filter(e => e.getClientRects().length).length`, "0")
	is("pictures without the script",
		`[...document.querySelectorAll('figure')].filter(f => [...f.querySelectorAll('svg')].some(s => s.getBoundingClientRect().height > 50)).length === document.querySelectorAll('figure').length`, "true")
	b.screenshot("scriptless")
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	b.open(file, 1280, 900)
	is("a picture without words", `[...document.querySelectorAll('svg[role=img]')].filter(s => !s.getAttribute('aria-label')).length`, "0")
	if c := b.complaints(); c != nil {
		t.Errorf("the browser complains: %q", c)
	}
}

// On paper all of the report is there, whole, legible and white, and no help for a pointer.
func TestReportOnPaper(t *testing.T) {
	b := newBrowser(t)
	b.call("Emulation.setEmulatedMedia",
		map[string]any{"media": "print", "features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}},
		nil)
	b.open(browsedStudy(t, 60), 620, 1000)
	b.is("help for a pointer", `[...document.querySelectorAll('.tools, .try, .reset, #tip, .skip, .best details')].filter(e => e.getClientRects().length).length`, "0")
	b.is("paper is white", `getComputedStyle(document.body).backgroundColor`, `"rgb(255, 255, 255)"`)
	b.is("cut off by a box", `[...document.querySelectorAll('tr, td, th, svg.p')].filter(e => {
		const r = e.getBoundingClientRect();
		if (!r.width) return false;
		for (let p = e.parentElement; p; p = p.parentElement) {
			const q = p.getBoundingClientRect();
			if (r.bottom > q.bottom + 1 || r.right > q.right + 1) return true;
		}
	}).length`, "0")
	b.is("boxes to scroll", `[...document.querySelectorAll('.scroll, .table')].filter(e => getComputedStyle(e).overflow !== 'visible').length`, "0")
	b.is("beyond the edge of the paper",
		`[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 621).map(e => e.tagName + '.' + e.className).slice(0, 3).join()`, `""`)
	b.is("closed", `[...document.querySelectorAll('details')].filter(d => d.getClientRects().length && d.getBoundingClientRect().height < 60).length`, "0")
	b.is("torn by the end of a page",
		`[...document.querySelectorAll('tr, figure, .card, .best')].filter(e => getComputedStyle(e).breakInside !== 'avoid').length`, "0")
	b.is("headings left behind", `[...document.querySelectorAll('h2')].filter(e => getComputedStyle(e).breakAfter !== 'avoid').length`, "0")
	b.is("cards in a row", `(l => l.filter(e => e.getBoundingClientRect().top === l[0].getBoundingClientRect().top).length >= 4)([...document.querySelectorAll('.card')])`, "true")
	b.is("columns of pictures", `getComputedStyle(document.querySelector('.figures')).gridTemplateColumns.split(' ').length`, "2")
	if size := b.number(`Math.min(...[...document.querySelectorAll('svg.p text')].filter(e => e.getClientRects().length && e.textContent.trim()).map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))`); size < 7 {
		t.Errorf("text of pictures has %.1f pixels on paper", size)
	}
	if least := b.number(contrast); least < 4.5 {
		t.Errorf("contrast %v on paper", least)
	}
	b.screenshot("printed")

	var pdf struct{ Data string }
	b.call("Page.printToPDF", map[string]any{"paperWidth": 8.27, "paperHeight": 11.69}, &pdf)
	raw, err := base64.StdEncoding.DecodeString(pdf.Data)
	if n := bytes.Count(raw, []byte("/Type /Page\n")); err != nil || n < 3 || n > 9 {
		t.Errorf("%d pages of A4, %v", n, err)
	}
	file := filepath.Join(t.TempDir(), "report.pdf")
	mustWrite(t, file, raw)
	if out, err := exec.Command("pdftotext", "-layout", file, "-").Output(); err == nil { // where it is installed
		for k := 1; k <= 60; k++ {
			if !regexp.MustCompile(fmt.Sprintf(`(?m)^\s*%d-\w{4}\b`, k)).Match(out) {
				t.Errorf("trial %d is not on paper", k)
			}
		}
	}
}

// column is the index of a column of the trials.
func column(b *browser, name string) string {
	return b.eval(fmt.Sprintf(`[...document.querySelectorAll('.trials th')].findIndex(h => h.textContent === %q)`, name))
}

// contrast is the least contrast of texts with what they stand on (WCAG 2).
const contrast = `(() => {
  const light = c => { const [r, g, b] = c.match(/[\d.]+/g).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return 'rgb(255,255,255)'; };
  let least = 99;
  for (const e of document.querySelectorAll('h1,h2,p,li,dt,dd,th,td,summary,.name,.value,.note,footer,svg.p text')) {
    if (!e.textContent.trim() || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), a = light(e.tagName === 'text' ? style.fill : style.color), b = light(behind(e.closest('svg.p')?.parentElement ?? e));
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least;
})()`

// A report of a thousand trials stays below a megabyte.
func TestReportStaysSmall(t *testing.T) {
	if testing.Short() || os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("fits a surrogate to 1,000 trials: BOHIER_SOAK=1 runs this")
	}
	info, err := os.Stat(browsedStudy(t, 1000))
	if err != nil || info.Size() > 1<<20 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
}
