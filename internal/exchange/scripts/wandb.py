"""Print runs of Weights & Biases as JSON lines, a run a line.

    python3 wandb.py runs.csv > runs.jsonl

The file is the table that a project's page exports; the one that the script of W&B's guide
writes, with columns summary, config and name, the first two as Python writes mappings; or
JSON with these, an array or a line each. bohier import wandb:runs.jsonl reads the lines.
"""
import ast
import csv
import io
import json
import sys

csv.field_size_limit(1 << 26)

# Columns of the page's table beside those of configuration and summary.
FACTS = {"", "Name", "State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep", "ID", "Agent", "GPU Count", "GPU Type",
         "Host", "End Time", "Updated", "Commit", "Github", "Hostname", "Start Time", "Group", "Job Type"}


class NotFinite(ast.NodeTransformer):
    def visit_Name(self, node):
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node


def mapping(text):
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(NotFinite().visit(ast.parse(text, mode="eval")))


def runs(text):
    if text.lstrip()[:1] not in ("[", "{"):
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        for row in csv.DictReader(io.StringIO(text), delimiter=delimiter):
            yield {**row, "config": mapping(row["config"]), "summary": mapping(row["summary"])} if "config" in row else row
        return
    try:
        yield from json.loads(f"[{text}]" if text.lstrip()[0] == "{" else text)
    except ValueError:
        yield from (json.loads(line) for line in text.splitlines() if line.strip())


def flat(name, value):
    """Nested mappings get dotted names, as the parameters of a sweep do."""
    if not isinstance(value, dict):
        return {name: value}
    return {k: v for key in sorted(value) for k, v in flat(f"{name}.{key}".lstrip("."), value[key]).items()}


def line(number, run):
    summary = run.get("summary") or {}
    state = run.get("state") or run.get("State") or ""
    out = {"name": run.get("id") or run.get("ID") or run.get("Name") or run.get("name") or str(number), "why": state,
           "state": {"": "complete", "finished": "complete", "running": "pending", "pending": "pending",
                     "preempting": "pending"}.get(state, "failed"),
           "params": {k: v for k, v in flat("", run.get("config") or {}).items() if not k.startswith("_")},
           "metrics": {k: v for k, v in summary.items() if not k.startswith("_")}}
    if isinstance(summary.get("_runtime"), (int, float)):
        out["duration"] = summary["_runtime"]
    if "config" not in run:  # of the page's table
        out["params"] = {k: v.lower() if v in ("True", "False") else v for k, v in run.items() if v and k not in FACTS}
        if run.get("Runtime"):
            out["duration"] = float(run["Runtime"])
    return out


def main(file):
    with open(file, newline="", encoding="utf-8-sig") as f:
        found = list(runs(f.read()))
    seen = {}
    print(json.dumps({"import": "wandb", "loose": True, "texts": not all("config" in run for run in found)}))
    for number, run in enumerate(found, 1):
        out = line(number, run)
        seen[out["name"]] = count = seen.get(out["name"], 0) + 1
        if count > 1:
            out["name"] += f"#{count}"
        print(json.dumps(out))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1])
    except (AttributeError, LookupError, SyntaxError, TypeError, ValueError) as e:
        sys.exit(f"these are no runs of W&B: {e!r}")
