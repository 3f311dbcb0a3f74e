package config

import "testing"

// A tuning space in the style of Kernel Tuner: what divides, and how much shared memory is used.
func TestBlockSizes(t *testing.T) {
	st, r := Parse("t.yaml", []byte(`objective: {direction: minimize}
space:
  block_size_x: {type: ordinal, values: [16, 32, 48, 64, 128]}
  block_size_y: [8, 1, 2, 4]
  tile_size_x:  {type: int, low: 1, high: 8}
  padded:       {type: bool, active_if: block_size_x % 32 == 0 and block_size_y > 1}
require:
  - block_size_x * block_size_y % 32 == 0
  - block_size_x*block_size_y >= 62 + tile_size_x % 3
  - max(block_size_x, 3 * tile_size_x) * (tile_size_x + abs(block_size_y - 4)) <= 300
`), Options{})
	if st == nil {
		t.Fatal(r)
	}
	want := 0
	for _, x := range []int{16, 32, 48, 64, 128} {
		for _, y := range []int{1, 2, 4, 8} {
			for tile := 1; tile <= 8; tile++ {
				if x*y%32 != 0 || x*y < 62+tile%3 || max(x, 3*tile)*(tile+max(y-4, 4-y)) > 300 {
					continue
				}
				want++
				if x%32 == 0 && y > 1 {
					want++ // padded or not
				}
			}
		}
	}
	if n, finite := st.Space.Size(); !finite || n != float64(want) {
		t.Errorf("%v configurations, not %d", n, want)
	}
}

// A value on a grid of steps equals the decimal that it prints as.
func TestConditionOnStep(t *testing.T) {
	st, r := Parse("t.yaml", []byte(`objective: {direction: minimize}
space:
  x: {type: float, low: 0, high: 1, step: 0.1}
  y: {type: bool, active_if: x == 0.3}
  z: {type: bool, active_if: x * 3 == 2.1}
`), Options{})
	if st == nil {
		t.Fatal(r)
	}
	if n, _ := st.Space.Size(); n != 13 {
		t.Errorf("%v configurations, not 13", n)
	}
}
