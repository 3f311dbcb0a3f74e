package study

import "fmt"

// Count is a number of things in words: "1 trial", "2 trials".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
