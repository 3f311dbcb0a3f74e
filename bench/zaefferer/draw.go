package zaefferer

import (
	"os"
	"path/filepath"
	"strings"

	"bohier/bench/orders"
)

// draw writes the ordered graphs (the paper's Figures 4 and 5) into a directory.
func draw(e *evidence, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var list []*orders.Order
	titles := []string{"All situations"}
	list = append(list, e.order(paper, Situations))
	for _, at := range strings.Split(Situations, "") {
		titles, list = append(titles, "Situation "+at), append(list, e.order(paper, at))
	}
	return os.WriteFile(filepath.Join(dir, "zaefferer-searches.svg"), orders.SVG(titles, list), 0o666)
}
