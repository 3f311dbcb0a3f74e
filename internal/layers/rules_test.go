package layers

// module is the path of the module whose packages the rules name.
const module = "bohier"

// imports lists, for each package directory, the packages of this module it may import. A subdirectory follows the rule
// of the nearest listed ancestor and may import that ancestor. "*" allows everything.
var imports = map[string][]string{
	"internal/points":   {},
	"internal/tile":     {},
	"internal/parallel": {},
	"internal/lazy":     {},
	"internal/lists":    {},
	"internal/seeded":   {},
	"internal/kernels":  {"internal/lists", "internal/points", "internal/tile"},
	"internal/boxopt":   {},
	"internal/polytope": {"internal/boxopt"},
	"internal/csp":      {"internal/lists", "internal/polytope"},
	"internal/pareto":   {"internal/lists"},
	"internal/acq": {"internal/lists", "internal/parallel", "internal/boxopt", "internal/pareto", "internal/points",
		"internal/polytope"},
	"internal/gp": {"internal/lists", "internal/parallel", "internal/boxopt", "internal/kernels", "internal/points",
		"internal/tile"},
	"internal/jsonscan": {},
	"internal/space":    {"internal/lists", "internal/csp", "internal/jsonscan", "internal/points", "internal/polytope"},
	"internal/study":    {"internal/lists", "internal/lazy", "internal/kernels", "internal/pareto", "internal/space"},
	"internal/config":   {"internal/lists", "internal/jsonscan", "internal/lazy", "internal/study", "internal/space"},
	"internal/journal":  {"internal/lazy", "internal/jsonscan", "internal/study", "internal/space"},
	"internal/pgstore":  {"internal/lazy", "internal/lists", "internal/study", "internal/journal"},
	"internal/text":     {},
	"internal/plot":     {"internal/lists", "internal/text"},
	"internal/report": {"internal/lists", "internal/lazy", "internal/pareto", "internal/study", "internal/space", "internal/policy", "internal/plot",
		"internal/text"},
	"internal/figures": {"internal/lists", "internal/pareto", "internal/study", "internal/space", "internal/policy", "internal/plot",
		"internal/report"},
	"internal/exchange": {"internal/lists", "internal/lazy", "internal/config", "internal/jsonscan", "internal/study", "internal/space"},
	"internal/page":     {"internal/report", "internal/plot", "internal/text"},
	"internal/surrogate": {"internal/lists", "internal/study", "internal/space", "internal/points",
		"internal/kernels", "internal/gp"},
	"internal/policy": {"internal/lists", "internal/study", "internal/space"},
	"internal/suggest": {"internal/lists", "internal/parallel", "internal/study", "internal/space", "internal/points",
		"internal/kernels", "internal/gp", "internal/acq", "internal/pareto", "internal/surrogate", "internal/policy"},
	"internal/runner": {"internal/lists", "internal/parallel", "internal/study", "internal/space", "internal/pareto",
		"internal/kernels", "internal/gp", "internal/surrogate", "internal/policy", "internal/suggest", "internal/journal"},
	"internal/execute": {"internal/lists", "internal/lazy", "internal/jsonscan", "internal/parallel", "internal/study", "internal/space", "internal/runner"},
	"internal/layers":  {},
	"cmd/bohier": {"internal/jsonscan", "internal/lazy", "internal/lists", "internal/parallel", "internal/config", "internal/journal", "internal/pgstore", "internal/policy",
		"internal/suggest", "internal/runner",
		"internal/execute", "internal/report", "internal/figures", "internal/page", "internal/plot", "internal/text",
		"internal/exchange", "internal/study", "internal/space", "docs"},
	"docs":     {"internal/pgstore", "internal/pgstore/pgtest"}, // schemas of outputs; its tests: a server with a journal
	"bench":    {"*"},
	"examples": {"internal/suggest", "internal/pgstore/pgtest"}, // its tests: the names of kernels and so on, a server
}

// numerics are the packages that know mathematics only: they never log, print, read a clock or touch the operating
// system. Their tests may, and may also use one another and space as material.
var numerics = []string{"internal/points", "internal/tile", "internal/boxopt", "internal/polytope", "internal/csp",
	"internal/kernels", "internal/gp", "internal/acq", "internal/pareto"}

// A reserved dependency may be imported only below the directories listed, in tests too; nil means nowhere.
var reserved = map[string][]string{
	"github.com/spf13/cobra":      {"cmd/bohier"},
	"github.com/spf13/pflag":      {"cmd/bohier"},
	"gopkg.in/yaml.v3":            {"internal/config", "examples"},
	"github.com/rs/zerolog":       {"cmd/bohier", "internal/runner"},
	"gonum.org/v1/plot":           {"bench"},
	"github.com/jackc/pgx/v5":     {"internal/pgstore"},
	"math/rand":                   nil, // math/rand/v2 generators are passed in
	"golang.org/x/exp/rand":       nil,
	"github.com/stretchr/testify": nil,
}

// closed are standard packages the numerics do not import outside tests.
var closed = []string{"log", "log/slog", "os", "os/exec", "os/signal", "net", "net/http", "syscall", "io/ioutil"}

// A call is a function a package must not use: pkg is the import path, names the
// functions, or every function but those in except.
type call struct {
	pkg    string
	names  []string
	except []string
	where  func(dir string, test bool) bool
	why    string
}

// calls are the forbidden functions.
var calls = []call{
	{
		pkg: "fmt", names: []string{"Print", "Printf", "Println"},
		where: func(dir string, test bool) bool { return under(dir, "internal") && !test },
		why:   "results are returned; only commands write, to the streams they are given",
	},
	{
		pkg: "time", names: []string{"Now", "Since", "Until", "After", "Tick", "Sleep"},
		where: func(dir string, test bool) bool { return under(dir, numerics...) && !test },
		why:   "numerics read no clock",
	},
	{
		pkg: "os", names: []string{"Exit"},
		where: func(dir string, test bool) bool { return !under(dir, "cmd", "bench/cmd") && !test },
		why:   "only main exits the process",
	},
	{
		pkg: "log", names: []string{"Fatal", "Fatalf", "Fatalln"},
		where: func(string, bool) bool { return true },
		why:   "only main exits the process, with a documented code",
	},
	{
		pkg: "math/rand/v2", except: []string{"New", "NewPCG", "NewChaCha8", "NewZipf"},
		where: func(string, bool) bool { return true },
		why:   "no global random source: pass a *rand.Rand",
	},
}
