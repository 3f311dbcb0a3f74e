package kernels_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are mistakes that the tests of this package must catch: signs, dropped terms, wrong indices.
var mutants = []struct{ file, old, new string }{
	{"image.go", "[mostSquares]float64{s, c}, ", "[mostSquares]float64{s, -c}, "},
	{"image.go", "angle := math.Pi * p", "angle := p"},
	{"image.go", "[mostSquares]float64{math.Pi * u * c,", "[mostSquares]float64{-math.Pi * u * c,"},
	{"image.go", "{angle * c, -angle * s}", "{c, -s}"},
	{"image.go", "b.col.on == nil || b.col.on[t] == 1)", "true)"},
	{"image.go", "b.of(b.p, b.col.x, b.col.xOn == 1)", "b.of(b.p, b.col.x, true)"},
	{"image.go", "square{b.at[k], b.x.at[k], c * b.w}", "square{b.at[k], b.col.x, c * b.w}"},
	{"image.go", "use(b.param, -1, b.col.on, nil)", "use(b.param, 1, b.col.on, nil)"},
	{"image.go", "sign * 2 * c * b.w", "sign * c * b.w"},
	{"image.go", "b.x.at[0] = b.p\n", "b.x.at[0] = 0\n"},
	{"image.go", "b.at[0][t] = b.p", "b.at[0][t] = 0"},
	{"image.go", "sum += 2 * c * b.w * b.x.du[k]", "sum += c * b.w * b.x.du[k]"},
	{"image.go", "use(b.col.axis.warpB, 1, b.col.ub, b.du[k])", "use(b.col.axis.warpB, 1, b.col.ub, nil)"},
	{"image.go", "known && b.p == theta[b.param]", "known"},
	{"image.go", "[]float64{1, -0.25, 0.25}", "[]float64{1, -0.25, 0.5}"},
	{"image.go", "{1, 2 * u, 2 * u}", "{1, 2 * u, u}"},
	{"nominal.go", "dmixed = x.sum(b.at, b.at)", "dmixed = -x.sum(b.at, b.at)"},
	{"nominal.go", "return b.col.xOn\n", "return 1 - b.col.xOn\n"},
	{"pairsums.go", "factors == nil {\n\t\treturn x.count - 1", "factors == nil || x.count == 9 {\n\t\treturn x.count - 1"},
	{"nominal.go", "addChoices(dst, codes, v, b.off, 0, b.diff)", "addChoices(dst, codes, v, b.off, b.mixed, b.diff)"},
	{"nominal.go", "v, float64(b.same), 0, b.mixed)", "v, -1, 0, b.mixed)"},
	{"nominal.go", "v, b.off, b.mixed, b.diff)", "v, b.off, b.diff, b.mixed)"},
	{"nominal.go", "ddiff*b.nominal.diff+dmixed", "ddiff+dmixed"},
	{"nominal.go", "sumChoices(g, b.codes, v, float64(b.same))", "sumChoices(g, b.codes, v, -1)"},
	{"nominal.go", "_, ddiff = sumChoices", "dmixed, ddiff = sumChoices"},
	{"metric.go", "dw * w.pow", "dw"},
	{"metric.go", "if l != k {", "if l != k || true {"},
	{"axis.go", "if col.u[t] = float64(a.levels); mask", "if col.u[t] = 0; mask"},
	{"axis.go", "return a.positions[int(v)]", "return v"},
	{"axis.go", "if !x.Active(a.c, i) {\n\t\treturn\n\t}\n", ""},
	{"axis.go", "-math.Exp(b*lnq) * lnq", "math.Exp(b*lnq) * lnq"},
	{"axis.go", "l/part - x.span/whole", "l/part + x.span/whole"},
	{"axis.go", "c.xOn = c.on[i]", "c.xOn = 1"},
	{"axis.go", "return c.slope[c.xAt]", "return 1"},
	{"axis.go", "c.raw, c.warped = theta[a.warpA], theta[a.warpB], 0, 0", "_, _ = theta[a.warpA], theta[a.warpB], 0, 0"},
	{"distance.go", "four[s].f[i]", "four[s].f[0]"},
	{"distance.go", "b.kept = b.squares[:0], b.adders[:0], b.kept[:0]", "b.kept = b.squares[:0], b.adders[:0], b.kept"},
	{"nominal.go", "sum[t&3] += g[t]", "sum[0] -= g[t]"},
	{"nominal.go", "t < len(dst) && int(codes[t]) != b.same", "t < len(dst)"},
	{"composed.go", "b.rows = b.root.bind(b.theta, b.y)\n}", "}"},
	{"distance.go", "a.term.add(dst, lo)", "a.term.add(dst, 0)"},
	{"distance.go", "rise * col.du()", "rise"},
	{"distance.go", "clear(dst)\n", ""},
	{"profile.go", "1, 1, 1.0 / 3}", "1, 1, 0}"},
	{"profile.go", "-5.0 / 6", "-5.0 / 3"},
	{"profile.go", "-1.5, 0, 0", "-1, 0, 0"},
	{"profile.go", "(z/(1+z) - l)", "(z/(1+z) + l)"},
	{"profile.go", "-0.5 * k / (1 + z)", "-0.5 * k"},
	{"profile.go", "return gaussian(0.5)", "return gaussian(1)"},
	{"combine.go", "for k := j + 1; k <", "for k := j; k <"},
	{"combine.go", "b.weight[j].add(dtheta, sum)", "b.weight[j].add(dtheta, sum*a)"},
	{"profile.go", "float64(a) - v", "v"},
	{"profile.go", "fill(d, -1)", "fill(d, 1)"},
	{"combine.go", "g[t] = a * v", "g[t] = a + v"},
	{"spectrum.go", "s.mult = []float64{0, 1, n + 1}", "s.mult = []float64{0, 1, n}"},
	{"spectrum.go", "min(float64(k), 1)", "0"},
	{"spectrum.go", "append(s.mult, n+1)", "append(s.mult, n)"},
	{"spectrum.go", "-1 / (n + 1)\n", "1 / (n + 1)\n"},
	{"spectrum.go", "row[j] = -w", "row[j] = w"},
	{"spectrum.go", "[]float64{0, n * weight}", "[]float64{0, n}"},
	{"completegraph.go", "r[same].c = 1", "r[same].c = 0"},
	{"completegraph.go", "b: ((m+1)*b1 - b2)", "b: (m*b1 - b2)"},
	{"completegraph.go", "b1: 1 / m, b2:", "b1: 0, b2:"},
	{"completegraph.go", "a2: b1 / (m + 1), e: 1", "a2: b2 / (m + 1), e: 1"},
	{"completegraph.go", "r[off].b = 1", "r[off].b = 0"},
	{"simd_ratio.go", "in*(c.a2+z*(c.b2+c.c)) - two", "in*(c.a2+z*c.b2) - two"},
	{"simd_ratio.go", "in*(c.a1+z*c.b1) - one", "in*c.a1 - one"},
	{"completegraph.go", "overN*b.table[same].a1 - over1", "overN*b.table[same].a1 + over1"},
	{"completegraph.go", "mixed: value * none", "mixed: value * value"},
	{"factor.go", "-0.5*sum*b.scale[v]*b.scale[v]", "-0.5*sum*b.scale[v]"},
	{"factor.go", "b.bucket[v] += g[t]", "b.bucket[v] -= g[t]"},
	{"modulated.go", "copy(row, ds)", ""},
	{"gram.go", "clear(p.row(i)[i+1:])", ""},
	{"modulated.go", "clear(left[i+1:])", ""},
	{"modulated.go", "both[i] += sum", "both[i] = sum"},
	{"modulated.go", "f.sum = sums{}", "_ = f"},
	{"modulated.go", "b.closed(left, row, 0)", ""},
	{"pairsums.go", "x.r[i] += sum", "x.r[0] += sum"},
	{"pairsums.go", "- fb[i]*ga[i]", "+ fb[i]*ga[i]"},
	{"pairsums.go", "clear(x.r)", ""},
	{"pairsums.go", "length, x.f[k*x.stride:]", "length, x.f"},
	{"image.go", "size += c * x.sum(f, f)", "size = c * x.sum(f, f)"},
	{"nominal.go", "dmixed = ddiff+diff, dmixed+mixed", "dmixed = ddiff+diff, mixed"},
	{"profile.go", "p.root, p.value, p.deriv)", "p.root, p.value, p.value)"},
	{"completegraph.go", "k.a2, k.b2 = f*k.a1, f*k.b1, f*k.a2, f*k.b2", "k.a2, k.b2 = k.a1, k.b1, k.a2, k.b2"},
	{"simd.go", "s[2].w*dc*dc", "s[2].w*dc"},
	{"simd.go", "case q:\n\t\t\tdst[t] += atQ", "case q:\n\t\t\tdst[t] += rest"},
	{"simd.go", "sum[t&3] += g[t] * (x - f[t])", "sum[t&3] -= g[t] * (x - f[t])"},
	{"simd.go", "if !(z > farthest) {", "if z <= farthest {"},
	{"simd.go", "k*ln2Low", "0*k*ln2Low"},
	{"simd.go", "1.0/39916800", "1.0/3991680"},
	{"simd_ratio.go", "f := in*b - qa*z1 - one", "f := in*b - qa*z1"},
	{"simd_amd64.h", "LEAQ (P)(BX*8), P", "LEAQ (P), P"},
	{"simd_amd64.s", "DECAYING(R8)", "DECAYING(DX)"},
	{"simd_amd64.s", "VADDPD Y0, Y1, Y1", "VSUBPD Y0, Y1, Y1"},
	{"simd_amd64.s", "VMULPD Y3, Y3, Y1", "VMULPD Y3, Y2, Y1"},
	{"simd_amd64.s", "SQUARE(3, R11, Y6, Y7)", "SQUARE(2, R11, Y6, Y7)"},
	{"simd_amd64.s", "VANDNPD Y7, Y6, Y7\n\tVADDPD (DI)", "VADDPD (DI)"},
	{"simd_amd64.s", "VSUBPD Y7, Y2, Y2\n\tVMULPD Y2, Y2, Y3", "VADDPD Y7, Y2, Y2\n\tVMULPD Y2, Y2, Y3"},
	{"simd_amd64.s", "VCMPPD $0x1A", "VCMPPD $0x12"},
	{"simd_amd64.s", "$1.98412698412698412698e-04", "$1.98412698412698412698e-03"},
	{"simd_ratio_amd64.s", "VADDPD Y10, Y0, Y3\n\tVMULPD Y3, Y0, Y4", "VMULPD Y10, Y0, Y3\n\tVMULPD Y3, Y0, Y4"},
	{"simd_ratio_amd64.s", "VMULPD (R8)(AX*1), Y1, Y1\n\tVADDPD Y1, Y8, Y8", "VADDPD Y1, Y8, Y8"},
	{"completegraph.go", "{b.table[same], b.table[mixed], b.table[diff]}",
		"{b.table[diff], b.table[mixed], b.table[diff]}"},
	{"completegraph.go", "q: float64(b.spectrum.m)", "q: -1"},
	{"completegraph.go", "b.sum.w += d1", "b.sum.w += 0 * d1"},
	{"completegraph.go", "b.sum.delta += dz", "b.sum.delta -= dz"},
	{"factor.go", "plain * b.lambda[g]", "plain"},
	{"factor.go", "b.spectrum.row(b.vertex, g), b.delta+beta, b.alpha)\n\t\tb.sum",
		"b.spectrum.row(b.vertex, g), b.delta-beta, b.alpha)\n\t\tb.sum"},
	{"spectrum.go", "s.table[v*s.side*len(s.lambda)+g :", "s.table[v*s.side*len(s.lambda) :"},
	{"simd_ratio.go", "ds[t] -= alpha * q", "ds[t] -= q"},
	{"simd_ratio.go", "z1, z2 := 1-c.e+c.e*(z+k.b1), z+k.b2\n\t\tabove", "z1, z2 := c.e*(z+k.b1), z+k.b2\n\t\tabove"},
	{"simd_ratio.go", "case k.q:", "case -7:"},
	{"simd_ratio_amd64.s", "VMULPD Y5, Y5, Y5\n\tVMULPD (SI)", "VMULPD (SI)"},
	{"simd_ratio_amd64.s", "SELECT(48, Y9, Y3)", "SELECT(32, Y9, Y3)"},
	{"simd_ratio_amd64.s", "VBLENDVPD Y10, TMP, OUT, OUT", "VBLENDVPD Y11, TMP, OUT, OUT"},
	{"factor.go", "c * db * b.lambda[g]", "c * db"},
	{"factor.go", "b.beta * b.spectrum.mult[g]", "b.beta"},
	{"factor.go", "dst[t] *= b.scale[v] * b.scale[w]", "dst[t] *= b.scale[v] + b.scale[w]"},
	{"factor.go", "l += p.inactive.of(theta, 0) * sp.mult[g]", "l += sp.mult[g]"},
	{"combine.go", "times(left, row(j))", "times(left, g)"},
	{"modulated.go", "chunk-1 || p == len(b.fast)-1", "chunk-1"},
	{"modulated.go", "b.values[p][:len(left)]", "b.values[0][:len(left)]"},
	{"modulated.go", "return f, -(1 + alpha*s) * f", "return f, -f"},
	{"factor.go", "b.sum.delta -= c * f * f", "b.sum.delta += c * f * f"},
	{"neural.go", "* col.xOn * col.du()", "* col.xOn"},
	{"neural.go", "move*col.ua[i]", "move*col.ub[i]"},
	{"neural.go", "xc*xc/bx+c[t]*c[t]/by[t]", "xc*xc/bx"},
	{"neural.go", "(1/bx+1/by[t])", "(1/bx)"},
	{"neural.go", "c[t] = 2*u - 1", "c[t] = u"},
	{"composed.go", "completeSpectrum(tasks, 1, false)", "completeSpectrum(tasks, 2, false)"},
	{"fidelityrows.go", "if dst[t] = 0; trials[t] == trial {", "if dst[t] = 0; true {"},
	{"fidelityrows.go", "b.sums[d] * l.d[j]", "b.sums[0] * l.d[j]"},
	{"fidelity.go", "product{fold, over", "product{f.root, over"},
	{"fidelitylaw.go", "v * psi.rate, psi.v}", "v * psi.rate, v}"},
	{"profile.go", "sum += wi[t] * v", "sum += v"},
	{"priors.go", "w.Mu -= math.Ln2", "w.Mu += math.Ln2"},
	{"priors.go", "-(z/p.Sigma + 1) / v", "-(z / p.Sigma) / v"},
	{"priors.go", "LogNormal{-2 * l.Mu,", "LogNormal{2 * l.Mu,"},
	{"frequency.go", "weight{[]hyper{l}, -2}", "weight{[]hyper{l}, -1}"},
	{"metric.go", "radiusLo, radiusHi, prior)}, 2}", "radiusLo, radiusHi, prior)}, 1}"},
	{"metric.go", "append([]int{c}, b.coords[c].Ancestors...)", "append([]int{c}, b.coords[c].Ancestors[:0]...)"},
	{"hierarchical.go", `s.AlwaysActive == "same" || `, ""},
	{"hierarchical.go", `metric = "ico"`, `metric = "imp"`},
}

// TestMutants runs the other tests, at the length they have by default, once per mistake; BOHIER_SOAK=1 asks for it.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		raw, err := os.ReadFile(m.file)
		if err != nil {
			t.Error(err)
		}
		if os.Getenv("BOHIER_MUTANT") == "" && !strings.Contains(string(raw), m.old) {
			t.Errorf("%s: no %q to change", m.file, m.old)
		}
	}
	if os.Getenv("BOHIER_SOAK") == "" || os.Getenv("BOHIER_MUTANT") != "" {
		t.Skip("minutes of work: set BOHIER_SOAK=1")
	}
	here, err := os.Getwd()
	must(t, err)
	if out, err := run(t); err != nil {
		t.Fatalf("the tests fail without a mistake:\n%s", out)
	}
	for _, m := range mutants {
		path := filepath.Join(here, m.file)
		raw, err := os.ReadFile(path)
		must(t, err)
		dir := t.TempDir()
		replace := map[string]string{}
		for path, text := range mutated(t, path, strings.Replace(string(raw), m.old, m.new, 1)) {
			replace[path] = filepath.Join(dir, filepath.Base(path))
			must(t, os.WriteFile(replace[path], []byte(text), 0o600))
		}
		overlay, err := json.Marshal(map[string]any{"Replace": replace})
		must(t, err)
		file := filepath.Join(dir, "overlay.json")
		must(t, os.WriteFile(file, overlay, 0o600))
		out, err := run(t, "-overlay", file)
		switch {
		case err == nil:
			t.Errorf("%s: not caught: %q for %q", m.file, m.new, m.old)
		case strings.Contains(out, "[build failed]"):
			t.Errorf("%s: %q for %q does not compile:\n%s", m.file, m.new, m.old, out)
		}
	}
}

// mutated are the files to replace for a new text of one. The assembler reads a header
// past the overlay, so its text goes into the files that include it.
func mutated(t *testing.T, path, text string) map[string]string {
	t.Helper()
	if filepath.Ext(path) != ".h" {
		return map[string]string{path: text}
	}
	out := map[string]string{}
	users, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.s"))
	must(t, err)
	for _, user := range users {
		raw, err := os.ReadFile(user)
		must(t, err)
		include := `#include "` + filepath.Base(path) + `"`
		if s := strings.ReplaceAll(string(raw), include, text); s != string(raw) {
			out[user] = s
		}
	}
	return out
}

// run runs the other tests of the package.
func run(t *testing.T, flags ...string) (string, error) {
	t.Helper()
	args := append([]string{"test", "-failfast", "-vet=off", "-count=1"}, flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Env = append(os.Environ(), "BOHIER_MUTANT=1", "BOHIER_SOAK=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
