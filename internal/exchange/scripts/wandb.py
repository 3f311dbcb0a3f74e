"""Print runs of Weights & Biases as JSON lines, a run a line.

    python3 wandb.py runs.csv > runs.jsonl

runs.csv is what the script of W&B's guide writes: columns summary, config and name, the
first two as Python writes mappings. bohier import wandb:runs.jsonl reads the lines.
"""
import ast
import csv
import json
import sys

csv.field_size_limit(1 << 26)


class NotFinite(ast.NodeTransformer):
    def visit_Name(self, node):
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node


def mapping(text):
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(NotFinite().visit(ast.parse(text, mode="eval")))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="", encoding="utf-8-sig") as f:
        for row in csv.DictReader(f):
            print(json.dumps({"name": row.get("name"), "state": row.get("state"),
                              "config": mapping(row["config"]), "summary": mapping(row["summary"])}))
