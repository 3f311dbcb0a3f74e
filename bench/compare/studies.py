"""The same study in both programs, filled with the same trials."""

import json
import sys
from pathlib import Path

import task
from measure import run


class Bohier:
    def __init__(self, binary, folder, n):
        """A study of n random trials."""
        folder.mkdir(parents=True)
        self.binary, self.folder = binary, folder
        (folder / "bohier.yaml").write_text(task.study_file())
        lines = "".join(json.dumps({"params": p, "values": {"loss": v}}) + "\n" for p, v in task.trials(n))
        run([binary, "add", "--json", "-"], cwd=folder, stdin=lines)

    def ask(self):
        """One suggestion, observed; the cost is that of `suggest` alone."""
        cost = run([self.binary, "suggest"], cwd=self.folder)
        s = json.loads(cost.out)
        run([self.binary, "observe", s["id"], repr(task.value(s["params"]))], cwd=self.folder)
        return cost

    def ask_pending(self, n):
        """The cost of a suggestion, not recorded, while n trials are pending."""
        run([self.binary, "suggest", "-n", str(n)], cwd=self.folder)
        return run([self.binary, "suggest", "--dry-run"], cwd=self.folder)


class Optuna:
    def __init__(self, folder, n):
        folder.mkdir(parents=True)
        self.binary = sys.prefix + "/bin/optuna"
        self.url = f"sqlite:///{folder}/study.db"
        fill = run([sys.executable, Path(__file__).with_name("fill.py"), self.url, str(n)])
        self.space = fill.out.strip()

    def ask(self):
        cost = run([self.binary, "ask", "--storage", self.url, "--study-name", "s", "--sampler", "TPESampler",
                    "--search-space", self.space, "-f", "json"])
        s = json.loads(cost.out)
        run([self.binary, "tell", "--storage", self.url, "--study-name", "s", "--trial-number", str(s["number"]),
             "--values", repr(task.value(s["params"]))])
        return cost
