package docs

import (
	"fmt"
	"strings"
)

// data are files in the form of those that papers and other programs published.
var data = made()

func made() map[string]string {
	files := map[string]string{
		"boston_house_prices.csv": "506,13\n", // learn.py stands in, too
		"optical_interconnection_network.csv": "Node Number;Thread Number;Spatial Distribution;Temporal " +
			"Distribution;T/R;Utilization ;W;I;N;C;;;;;\r\n",
		"swersky_mnist_bo_951x24.csv": "row,depth_true,depth_ceil_bin,in_a,in_b,in_c,L1_a,L2_a,L3_a,L4_a,L5_a,L1_b,L2_b,L3_b,L4_b,L5_b,L1_c,L2_c,L3_c,L4_c,L5_c,L1_d,L2_d,L3_d,L4_d,L5_d,error\n",
	}
	for k := range 48 {
		u := float64(k*37%48) / 48
		y := (u - 0.3) * (u - 0.3)
		files["servo.data"] += fmt.Sprintf("%c,%c,%d,%d,%g\n", 'A'+k%5, 'A'+k%4, 3+k%4, 1+k%5, y+0.1)
		files["meta.data"] += fmt.Sprintf("Set_%c,690,%d,14,2,4,%d,1.2,0.1,0.7,?,1,?,%g,12.5,0.9,2.3,0.1,8.7,%g,Ac%d,%g\n",
			'a'+k%6, 100+k, k%2, u, u*u, k%3, y)
		files["optical_interconnection_network.csv"] += strings.ReplaceAll(fmt.Sprintf("%d;%d;U%c;C%c;%g;%g;1;1;1;1;;;;;\r\n", 16<<(k%3), 4+k%7, 'A'+k%4, 'A'+k%2, u, y), ".", ",")
		layers := k % 6
		row := fmt.Sprintf("%d,%d,0.5,%g,%g,%g", k, layers, u, 1-u, u*u)
		for range 4 {
			row += strings.Repeat(fmt.Sprintf(",%g", u), layers) + strings.Repeat(",", 5-layers)
		}
		files["swersky_mnist_bo_951x24.csv"] += row + fmt.Sprintf(",%g\n", y+0.01*float64(1+layers))
	}
	return files
}
