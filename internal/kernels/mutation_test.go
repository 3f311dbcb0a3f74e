package kernels_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are mistakes that the tests of this package must catch: signs,
// dropped terms, wrong indices.
var mutants = []struct{ file, old, new string }{
	{"arc.go", "square{b.c, b.xc, b.w})", "square{b.c, -b.xc, b.w})"},
	{"arc.go", "math.Pi*theta[b.rho]", "theta[b.rho]"},
	{"arc.go", "dtheta[b.rho] += 2 * math.Pi", "dtheta[b.rho] -= 2 * math.Pi"},
	{"arc.go", "2 * b.w * b.angle * sum", "2 * b.w * sum"},
	{"arc.go", "if b.col.on == nil || b.col.on[t] == 1 {", "if true {"},
	{"arc.go", "case b.col.xOn == 1:", "case true:"},
	{"linear.go", "square{b.f, b.x, b.w}", "square{b.f, b.col.x, b.w}"},
	{"linear.go", "dtheta[b.standIn] -= 2", "dtheta[b.standIn] += 2"},
	{"linear.go", "dtheta[b.standIn] += 2 * b.w * plain", "dtheta[b.standIn] += b.w * plain"},
	{"linear.go", "b.col.on[lo:], 1, 0)", "b.col.on[lo:], 0, 1)"},
	{"linear.go", "b.x = b.rest", "b.x = 0"},
	{"linear.go", "b.f[t] = b.rest", "b.f[t] = 0"},
	{"linear.go", "return 2 * b.w * plain", "return b.w * plain"},
	{"ico.go", "active := b.col.xOn == 1", "active := b.col.xOn == 0"},
	{"ico.go", "b.col.xCode < b.col", "b.col.xCode <= b.col"},
	{"ico.go", "dtheta[b.h] += mixed", "dtheta[b.h] -= mixed"},
	{"ico.go", "dtheta[b.h] += x.sum", "dtheta[b.h] -= x.sum"},
	{"ico.go", "case b.away == 1:\n\t\tfor t", "case b.away == 2:\n\t\tfor t"},
	{"ico.go", "b.on(lo+t) == xOn { // both off: d = 0", "true {"},
	{"ico.go", "dst[t] += b.th * d * d", "dst[t] += b.th * d"},
	{"ico.go", "b.th * b.col.xOn * sum", "b.th * sum"},
	{"nominal.go", "addChoices(dst, names, v, off, 0, b.diff)", "addChoices(dst, names, v, off, b.mixed, b.diff)"},
	{"nominal.go", "off, float64(b.same), 0, b.mixed)", "off, -1, 0, b.mixed)"},
	{"nominal.go", "v, off, b.mixed, b.diff)", "v, off, b.diff, b.mixed)"},
	{"nominal.go", "diff*b.nominal.diff+mixed", "diff+mixed"},
	{"nominal.go", "sumChoices(g, names, off, float64(b.same))", "sumChoices(g, names, off, -1)"},
	{"nominal.go", "_, ddiff = sumChoices", "dmixed, ddiff = sumChoices"},
	{"metric.go", "dw * w.pow", "dw"},
	{"metric.go", "if l != k {", "if l != k || true {"},
	{"axis.go", "col.names[t] = float64(a.levels)", "col.names[t] = 0"},
	{"axis.go", "return a.positions[int(v)]", "return v"},
	{"axis.go", "if !x.Active(a.c, i) {\n\t\treturn\n\t}\n", ""},
	{"axis.go", "s * lnu, -r * lnq", "s * lnu, r * lnq"},
	{"axis.go", "c.xOn = c.on[i]", "c.xOn = 1"},
	{"axis.go", "c.slope[c.xAt], c.ua[c.xAt]", "1, c.ua[c.xAt]"},
	{"axis.go", "c.raw, c.warped = theta[a.warpA], theta[a.warpB], 0, 0", "_, _ = theta[a.warpA], theta[a.warpB], 0, 0"},
	{"distance.go", "four[s].f[i]", "four[s].f[0]"},
	{"distance.go", "b.kept = b.squares[:0], b.adders[:0], b.moving[:0], b.kept[:0]", "b.kept = b.squares[:0], b.adders[:0], b.moving[:0], b.kept"},
	{"axis.go", "active == y.Active(a.c, 0)", "true"},
	{"nominal.go", "sum[t&3] += g[t]", "sum[0] -= g[t]"},
	{"nominal.go", "t < len(dst) && int(names[t]) != b.same", "t < len(dst)"},
	{"ico.go", "if t < len(dst) {", "if t == 0 {"},
	{"composed.go", "b.rows = b.root.bind(b.theta, b.y)\n}", "}"},
	{"distance.go", "a.term.add(dst, lo)", "a.term.add(dst, 0)"},
	{"distance.go", "rise(g) * du", "rise(g)"},
	{"distance.go", "(by.x - u)", "(by.x + u)"},
	{"distance.go", "range by.y[lo:]", "range by.y[0:]"},
	{"distance.go", "if x != col.y {\n\t\ti = -1\n\t}\n", ""},
	{"distance.go", "clear(dst)\n", ""},
	{"profile.go", "1, 1, 1.0 / 3}", "1, 1, 0}"},
	{"profile.go", "-5.0 / 6", "-5.0 / 3"},
	{"profile.go", "-1.5, 0, 0", "-1, 0, 0"},
	{"profile.go", "(z/(1+z) - l)", "(z/(1+z) + l)"},
	{"profile.go", "-0.5 * w[t] * k / (1 + z)", "-0.5 * w[t] * k"},
	{"profile.go", "return gaussian(0.5)", "return gaussian(1)"},
	{"combine.go", "for k := j + 1; k <", "for k := j; k <"},
	{"combine.go", "dtheta[h] += sum", "dtheta[h] += sum * b.factor(j)"},
	{"profile.go", "float64(a) - v", "v"},
	{"profile.go", "q[t] = -v", "q[t] = v"},
	{"combine.go", "g[t] = a * v", "g[t] = a + v"},
	{"spectrum.go", "s.mult = []float64{0, 1, n + 1}", "s.mult = []float64{0, 1, n}"},
	{"spectrum.go", "min(float64(k), 1)", "0"},
	{"spectrum.go", "append(s.mult, n+1)", "append(s.mult, n)"},
	{"spectrum.go", "-1 / (n + 1)\n", "1 / (n + 1)\n"},
	{"graph.go", "row[j] = -w", "row[j] = w"},
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
	{"completegraph.go", "b.pullDiagonal(b.spectrum.side-1, atNone)", ""},
	{"completegraph.go", "-0.5*g*b.scale[v]*b.scale[v]", "-0.5*g*b.scale[v]"},
	{"completegraph.go", "b.bucket[v] += g[t]", "b.bucket[v] -= g[t]"},
	{"gram.go", "copy(row, ds)", ""},
	{"gram.go", "clear(row[i+1:])\n\t}\n\tb.pullAlpha", "}\n\tb.pullAlpha"},
	{"gram.go", "clear(left[i+1:])", ""},
	{"gram.go", "both[i] += sum", "both[i] = sum"},
	{"gram.go", "f.begin()", "_ = f"},
	{"gram.go", "b.closed(left, row, 0)", ""},
	{"pairsums.go", "x.r[i] += sum", "x.r[0] += sum"},
	{"pairsums.go", "- fb[i]*ga[i]", "+ fb[i]*ga[i]"},
	{"pairsums.go", "clear(x.r)", ""},
	{"pairsums.go", "length, x.f[k*x.stride:]", "length, x.f"},
	{"arc.go", "x.sum(uc, s) - x.sum(us, c)", "x.sum(us, c) - x.sum(uc, s)"},
	{"arc.go", "x.sum(s, s)+x.sum(c, c)", "x.sum(s, s)"},
	{"linear.go", "2 * b.w * x.sum(b.at, b.col.onAt)", "b.w * x.sum(b.at, b.col.onAt)"},
	{"nominal.go", "dmixed = ddiff+diff, dmixed+mixed", "dmixed = ddiff+diff, mixed"},
	{"profile.go", "p.root, p.value, p.deriv)", "p.root, p.value, p.value)"},
	{"completegraph.go", "k.a2, k.b2 = f*k.a1, f*k.b1, f*k.a2, f*k.b2", "k.a2, k.b2 = k.a1, k.b1, k.a2, k.b2"},
	{"simd.go", "s[2].w*dc*dc", "s[2].w*dc"},
	{"simd.go", "case q:\n\t\t\tdst[t] += atQ", "case q:\n\t\t\tdst[t] += rest"},
	{"simd.go", "sum[1][t&3] += gd", "sum[1][t&3] -= gd"},
	{"simd.go", "(xs*c[t] - xc*s[t])", "(xs*c[t] + xc*s[t])"},
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
	{"simd_amd64.s", "VMOVUPD Y1, (DX)\n\tVMOVUPD Y2, 32(DX)", "VMOVUPD Y2, (DX)\n\tVMOVUPD Y1, 32(DX)"},
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
	{"factor.go", "b.bucket[v] += c", "b.bucket[w] += c"},
	{"factor.go", "plain * b.lambda[g]", "plain"},
	{"factor.go", "b.spectrum.row(v, g), b.delta+beta, b.alpha)\n\t\tb.sum",
		"b.spectrum.row(v, g), b.delta-beta, b.alpha)\n\t\tb.sum"},
	{"spectrum.go", "s.table[v*s.side*len(s.lambda)+g :", "s.table[v*s.side*len(s.lambda) :"},
	{"simd_ratio.go", "ds[t] -= alpha * q", "ds[t] -= q"},
	{"simd_ratio.go", "z1, z2 := 1-c.e+c.e*(z+k.b1), z+k.b2\n\t\tabove", "z1, z2 := c.e*(z+k.b1), z+k.b2\n\t\tabove"},
	{"simd_ratio.go", "case k.q:", "case -7:"},
	{"simd_ratio_amd64.s", "VMULPD Y5, Y5, Y5\n\tVMULPD (SI)", "VMULPD (SI)"},
	{"simd_ratio_amd64.s", "SELECT(48, Y9, Y3)", "SELECT(32, Y9, Y3)"},
	{"simd_ratio_amd64.s", "VBLENDVPD Y10, TMP, OUT, OUT", "VBLENDVPD Y11, TMP, OUT, OUT"},
	{"factor.go", "c * db * b.lambda[g]", "c * db"},
	{"factor.go", "b.beta * b.spectrum.mult[g]", "b.beta"},
	{"factor.go", "c := -0.5 * h[t] * f[t]", "c := 0.5 * h[t] * f[t]"},
	{"factor.go", "dst[t] *= b.scale[v] * b.scale[w]", "dst[t] *= b.scale[v] + b.scale[w]"},
	{"factor.go", "l += theta[p.inactive] * sp.mult[g]", "l += sp.mult[g]"},
	{"modulated.go", "times(left, b.values[p][:n])", "times(left, h)"},
	{"modulated.go", "if pending > 0 {", "if false {"},
	{"modulated.go", "for q := p + 1;", "for q := p;"},
	{"modulation.go", "return f, -(1 + alpha*s) * f", "return f, -f"},
	{"factor.go", "b.sum.delta -= c * f * f", "b.sum.delta += c * f * f"},
	{"neural.go", "* col.xOn * du", "* col.xOn"},
	{"neural.go", "move*xa", "move*xb"},
	{"neural.go", "xc*xc/bx+c[t]*c[t]/by[t]", "xc*xc/bx"},
	{"neural.go", "(1/bx+1/by[t])", "(1/bx)"},
	{"neural.go", "c[t] = 2*u - 1", "c[t] = u"},
	{"composed.go", "completeSpectrum(tasks, 1, false)", "completeSpectrum(tasks, 2, false)"},
	{"priors.go", "w.Mu -= math.Ln2", "w.Mu += math.Ln2"},
	{"priors.go", "-(z/p.Sigma + 1) / v", "-(z / p.Sigma) / v"},
	{"priors.go", "LogNormal{-2 * l.Mu,", "LogNormal{2 * l.Mu,"},
	{"frequency.go", "weight{[]int{l}, -2}", "weight{[]int{l}, -1}"},
	{"metric.go", "radiusLo, radiusHi, prior)}, 2}", "radiusLo, radiusHi, prior)}, 1}"},
	{"metric.go", "append([]int{c}, b.coords[c].Ancestors...)", "append([]int{c}, b.coords[c].Ancestors[:0]...)"},
	{"hierarchical.go", `s.AlwaysActive == "same" || `, ""},
	{"hierarchical.go", `metric = "ico"`, `metric = "imp"`},
}

// TestMutants runs the other tests, at the length they have by default, once per
// mistake; BOHIER_SOAK=1 asks for it.
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
	if err != nil {
		t.Fatal(err)
	}
	if out, err := run(t); err != nil {
		t.Fatalf("the tests fail without a mistake:\n%s", out)
	}
	for _, m := range mutants {
		path := filepath.Join(here, m.file)
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		replace := map[string]string{}
		for path, text := range mutated(t, path, strings.Replace(string(raw), m.old, m.new, 1)) {
			replace[path] = filepath.Join(dir, filepath.Base(path))
			if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		overlay, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "overlay.json")
		if err := os.WriteFile(file, overlay, 0o600); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range users {
		raw, err := os.ReadFile(user)
		if err != nil {
			t.Fatal(err)
		}
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
