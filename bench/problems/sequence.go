package problems

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"sync"
)

// Two problems of sequential decisions over 25 stages with the random draws of seed 0 that Casmopolitan, MCBO, BODi and
// Bounce share: pest control (five actions a stage) and contamination control of a food chain (Hu, Hu, Xu and Wang
// 2010, "Contamination control in food supply chain"; binary).

//go:embed tables.json
var tablesJSON []byte

// tables are the draws: the result of numpy's RandomState(0).beta, so that no other generator is needed.
type tables struct {
	Pest struct {
		Init, Spread []float64
		Control      map[string][][]float64 // pesticide → earlier uses → 100 rates
	}
	Contamination struct {
		Init     []float64
		Lam, Gam [][]float64 // stage → 100 rates
	}
}

var draws = sync.OnceValue(func() *tables {
	t := new(tables)
	if err := json.Unmarshal(tablesJSON, t); err != nil {
		panic("problems: embedded tables: " + err.Error())
	}
	return t
})

// Price of a pesticide and the discount for using it at every stage.
var (
	pestPrice    = [5]float64{0, 1, 0.8, 0.7, 0.5}
	pestDiscount = [5]float64{0, 0.2, 0.3, 0.3, 0}
)

const stages = 25

func pest(d Point) float64 {
	t := draws().Pest
	var action [stages]int
	var count, used [5]int
	for i := range action {
		action[i] = int(d[indexed("s", i)])
		count[action[i]]++
	}
	z := append([]float64(nil), t.Init...)
	total := 0.0
	for _, k := range action {
		total += share(z, func(v float64) bool { return v > 0.1 })
		if k == 0 {
			for i := range z {
				z[i] = t.Spread[i]*(1-z[i]) + z[i]
			}
			continue
		}
		rate := t.Control[strconv.Itoa(k)][used[k]]
		for i := range z {
			z[i] *= 1 - rate[i]
		}
		used[k]++
		total += pestPrice[k] * (1 - pestDiscount[k]/stages*float64(count[k]))
	}
	return total
}

func contamination(d Point) float64 {
	t := draws().Contamination
	const lambda = 1e-2
	z := append([]float64(nil), t.Init...)
	total := 0.0
	for s := range stages {
		x := d[indexed("b", s)]
		for i := range z {
			z[i] = t.Lam[s][i]*(1-x)*(1-z[i]) + (1-t.Gam[s][i]*x)*z[i]
		}
		total += x - (share(z, func(v float64) bool { return v < 0.1 }) - 0.95) + lambda*x
	}
	return total
}

// share is the part of z that satisfies a predicate.
func share(z []float64, ok func(float64) bool) float64 {
	n := 0
	for _, v := range z {
		if ok(v) {
			n++
		}
	}
	return float64(n) / float64(len(z))
}

func init() {
	var actions, switches []Param
	spray, clean := at{}, at{}
	const pattern = "1010110110110110110110110"
	for i := range stages {
		actions = append(actions, categorical(indexed("s", i), digits(5)))
		switches = append(switches, integer(indexed("b", i), 0, 1))
		spray[indexed("s", i)] = "4"
		clean[indexed("b", i)] = int(pattern[i] - '0')
	}
	spray["s24"] = "0"
	register(Problem{
		Name: "pest25", Budget: 200, Tags: []string{"discrete", "high-dim"}, Params: actions,
		Optimum: Optimum{Value: 12.07, Kind: "best-known", At: spray},
		Note: "25 stages of 5 actions; 12.07 (pesticide 4 nearly throughout) from every one of several long annealing " +
			"runs",
	}, pest)
	register(Problem{
		Name: "contamination25", Budget: 200, Tags: []string{"discrete", "high-dim"}, Params: switches,
		Optimum: Optimum{Value: 21.32, At: clean},
		Note:    "25 binary stages, λ = 0.01, 100 simulations; optimum proven by branch and bound",
	}, contamination)
}
