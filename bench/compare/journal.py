"""The same accidents on two journals: a torn last record, a file-size limit, a
full disk, and a paused lock holder. Run by the script `journal` beside it.

Each contestant is driven as its users drive it: bohier by its command line,
Optuna by ask and tell on a JournalStorage(JournalFileBackend(…)), opened anew
for every attempt as a restarted script would. What counts as lost is a result
whose call returned without an error (bohier: exit 0) and which a later reader
does not find.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock, JournalFileSymlinkLock

optuna.logging.set_verbosity(optuna.logging.CRITICAL)
BOHIER, PAUSABLE = (os.path.abspath(p) for p in sys.argv[1:3]) if len(sys.argv) > 2 else (None, None)
STUDY = "objective: {name: f, direction: minimize}\nspace: {x: {type: float, low: 0, high: 1}}\ninitial: {count: 1000000}\nseed: 1\n"
LOCKS = {"symlink": JournalFileSymlinkLock, "open": JournalFileOpenLock}
DISKS = [16 + 4 * i for i in range(16)]  # KiB


class Trouble(Exception):
    """What the user sees go wrong."""


class Bohier:
    name = "bohier"

    def __init__(self, directory, binary=None):
        self.binary = binary or BOHIER
        self.path = os.path.join(directory, "s.journal.jsonl")
        self.config = os.path.join(directory, "s.yaml")
        if not os.path.exists(self.config):
            with open(self.config, "w") as f:
                f.write(STUDY)

    def command(self, *words, **kw):
        return subprocess.Popen([self.binary, *words, "-c", self.config], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **kw)

    def call(self, *words):
        p = self.command(*words)
        out, err = p.communicate()
        if p.returncode:
            raise Trouble(f"exit {p.returncode}: {err.strip().splitlines()[0]}")
        return out.strip()

    def ask(self):
        return self.call("suggest", "-o", "id")

    def mend(self):
        self.call("journal", "repair")

    def tell(self, trial, value):
        self.call("observe", str(trial), repr(value))

    def values(self):
        trials = json.loads(self.call("trials", "-o", "json"))
        return sorted(t["values"]["f"] for t in trials if t["state"] == "complete")


class Optuna:
    def __init__(self, directory, lock):
        self.name = "Optuna, " + lock + " lock"
        self.lock = LOCKS[lock]
        self.path = os.path.join(directory, "s.log")

    def study(self):
        """create_study appends a record even to a study that exists; load_study does not."""
        begun = os.path.exists(self.path)
        storage = JournalStorage(JournalFileBackend(self.path, lock_obj=self.lock(self.path)))
        act = optuna.load_study if begun else optuna.create_study
        return act(storage=storage, study_name="s", sampler=optuna.samplers.RandomSampler(seed=1))

    def mend(self):
        """What a user who knows the format can do: delete the lines that are no JSON."""
        lines = content(self.path).splitlines(keepends=True)
        with open(self.path, "wb") as f:
            f.writelines(l for l in lines if valid(l))

    def do(self, act):
        try:
            return act()
        except Exception as e:  # whatever the user would see
            raise Trouble(f"{type(e).__name__}: {e}"[:90]) from e

    def ask(self):
        def act():
            trial = self.study().ask()
            trial.suggest_float("x", 0, 1)
            return trial.number
        return self.do(act)

    def tell(self, trial, value):
        self.do(lambda: self.study().tell(trial, value))

    def values(self):
        return self.do(lambda: sorted(t.value for t in self.study().get_trials(states=[optuna.trial.TrialState.COMPLETE])))


class Tally:
    """Counts, and the first example of every kind of trouble."""

    def __init__(self):
        self.n = {}
        self.seen = {}

    def add(self, what, yes=True):
        self.n[what] = self.n.get(what, 0) + bool(yes)

    def try_(self, what, act):
        try:
            got = act()
            self.add(what)
            return got
        except Trouble as e:
            self.add(what, False)
            self.seen.setdefault(what, str(e))
            return None


def valid(line):
    try:
        json.loads(line)
        return line.endswith(b"\n")
    except ValueError:
        return False


def content(path):
    with open(path, "rb") as f:
        return f.read()


def fresh(make):
    return make(tempfile.mkdtemp(prefix="accident-"))


def goes_on(j, t, kept):
    """Three more results after an accident, each by a process of its own."""
    t.try_("readable after the accident", j.values)
    for k in range(3):
        value = 100.0 + k

        def once():
            j.tell(j.ask(), value)
            kept.append(value)
        t.try_("further results accepted", once)
    found = t.try_("readable after going on", j.values)
    t.add("cases")
    lost = found is None or any(v not in found for v in kept)
    t.add("acknowledged results not found any more", lost)
    if lost:
        j.mend()
        found = t.try_("readable after mending by hand", j.values)
    t.add("acknowledged results not found after mending by hand", found is None or any(v not in found for v in kept))


def torn(make):
    """The last record cut at every byte, as a crash in the middle of a write leaves it."""
    j = fresh(make)
    kept = []
    for k in range(3):
        kept.append(float(k))
        j.tell(j.ask(), float(k))
    last = j.ask()
    before = content(j.path)
    j.tell(last, 3.0)
    after = content(j.path)
    assert after.startswith(before)
    t = Tally()
    for cut in range(len(before), len(after)):
        j = fresh(make)
        with open(j.path, "wb") as f:
            f.write(after[:cut])
        goes_on(j, t, list(kept))
    return t


def limited(make):
    """A file-size limit at every byte of the next record."""
    j = fresh(make)
    kept = [0.0]
    j.tell(j.ask(), 0.0)
    last = j.ask()
    before = content(j.path)
    j.tell(last, 1.0)
    size = len(content(j.path)) - len(before)
    t = Tally()
    for extra in range(size):
        j = fresh(make)
        with open(j.path, "wb") as f:
            f.write(before)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        mine = list(kept)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + extra, hard))
        try:
            j.tell(last, 1.0)
            mine.append(1.0)
        except Trouble as e:
            t.seen.setdefault("the accident", str(e))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        t.add("left as it was", content(j.path) == before)
        goes_on(j, t, mine)
    return t


def full(make):
    """Small disks that fill up; then room is made."""
    t = Tally()
    for size in DISKS:
        where = tempfile.mkdtemp(prefix="disk-")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", where], capture_output=True).returncode:
            return None
        try:
            j = make(where)
            ballast = os.path.join(where, "ballast")
            with open(ballast, "wb") as f:
                f.write(bytes(4096))
            kept = []
            try:
                while len(kept) < 500:
                    j.tell(j.ask(), float(len(kept)))
                    kept.append(float(len(kept)))
            except Trouble as e:
                t.seen.setdefault("the accident", str(e))
            t.add("no part of a line left", content(j.path).endswith(b"\n"))
            os.remove(ballast)
            goes_on(j, t, kept)
        finally:
            subprocess.run(["umount", where], check=True)
    return t


# A paused lock holder. A has the lock and is stopped before it writes; B comes
# and waits; once B is in, or has given up, A goes on; then C comes.

def wait(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def stopped(p):
    with open(f"/proc/{p.pid}/stat") as f:
        return f.read().rsplit(")", 1)[1].split()[0] == "T"


def paused_bohier():
    j = fresh(lambda d: Bohier(d, PAUSABLE))
    trials = [j.ask() for _ in range(3)]
    env = {**os.environ, "BOHIER_FAILPOINT": "before-write:1", "BOHIER_FAILPOINT_STOP": "1"}
    a = j.command("observe", trials[0], "0", env=env)
    assert wait(lambda: stopped(a), 10), "A did not stop"
    b = j.command("observe", trials[1], "1", "--lock-timeout", "40s")
    _, err = b.communicate()
    said = {"B": f"exit {b.returncode}: {err.strip().splitlines()[0]}".replace(j.path, "s.journal.jsonl")}
    overlap = b.returncode == 0
    a.send_signal(signal.SIGCONT)
    a.communicate()
    kept = [0.0] if a.returncode == 0 else []
    said["A"] = f"exit {a.returncode}"
    j.tell(trials[1], 1.0)  # what the exit code 5 says: run it again
    j.tell(trials[2], 2.0)
    found = j.values()
    return {"two holders at once": overlap, "readable": True, "lost": any(v not in found for v in [*kept, 1.0, 2.0]), "said": said}


def holder(who, path, lock, trial, pause, linger):
    """One Optuna process; it reports when it enters and leaves the section."""
    kind = LOCKS[lock]

    class Watched(kind):
        inside = False

        def acquire(self):
            got = super().acquire()
            self.inside = True
            print("enter", time.monotonic(), flush=True)
            if pause:
                os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(linger)
            return got

        def release(self):
            if self.inside:
                self.inside = False
                print("leave", time.monotonic(), flush=True)
            super().release()

    backend = JournalFileBackend(path, lock_obj=Watched(path))
    study = optuna.load_study(storage=JournalStorage(backend), study_name="s")
    try:
        study.tell(trial, float("ABC".index(who)))
        print("done", flush=True)
    except Exception as e:
        print("error", f"{type(e).__name__}: {e}", flush=True)


def paused_optuna(lock):
    j = fresh(lambda d: Optuna(d, lock))
    trials = [j.ask() for _ in range(3)]

    def start(who, pause, linger):
        name = os.path.join(os.path.dirname(j.path), who)
        p = subprocess.Popen([sys.executable, __file__, "--holder", who, j.path, lock, str(trials["ABC".index(who)]),
                              str(int(pause)), str(linger)], stdout=open(name, "w"))
        p.said = lambda: content(name).decode()
        return p

    a = start("A", True, 0)
    assert wait(lambda: stopped(a), 20), "A did not stop"
    b = start("B", False, 10)  # B's own write takes 10 s
    entered = wait(lambda: "enter" in b.said(), 60)
    a.send_signal(signal.SIGCONT)
    a.wait()
    c = start("C", False, 0)
    c.wait()
    b.wait()
    spans = {}
    said = {}
    kept = []
    for who, p in zip("ABC", (a, b, c)):
        lines = dict(l.split(" ", 1) if " " in l else (l, "") for l in p.said().splitlines())
        spans[who] = (float(lines.get("enter", "inf")), float(lines.get("leave", "inf")))
        said[who] = "ok" if "done" in lines else lines.get("error", "?")
        if "done" in lines:
            kept.append(float("ABC".index(who)))
    both = [x + y for x, y in ("AB", "BC", "AC") if spans[x][0] < spans[y][1] and spans[y][0] < spans[x][1]]
    try:
        found, readable = j.values(), True
    except Trouble as e:
        found, readable = [], False
        said["reader"] = str(e)
    assert entered
    return {"two holders at once": both, "readable": readable, "lost": any(v not in found for v in kept), "said": said}


def row(cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def main():
    makers = [Bohier, lambda d: Optuna(d, "symlink"), lambda d: Optuna(d, "open")]
    with tempfile.TemporaryDirectory(prefix="compare-journal-") as base:
        tempfile.tempdir = base
        version = subprocess.run([BOHIER, "version"], capture_output=True, text=True).stdout.split("\n")[0]
        print(f"{version}; Optuna {optuna.__version__}, Python {sys.version.split()[0]}\n")
        row(["accident", "what was looked at", *(fresh(m).name for m in makers)])
        row(["---"] * 5)
        notes = []
        for title, accident in (("torn last record", torn), ("file-size limit", limited), ("full disk", full)):
            tallies = [accident(m) for m in makers]
            if None in tallies:
                row([title, "not possible here: no tmpfs can be mounted", "", "", ""])
                continue
            for what in ("left as it was", "no part of a line left", "readable after the accident", "further results accepted", "readable after going on",
                         "acknowledged results not found any more", "acknowledged results not found after mending by hand"):
                if what in tallies[0].n:
                    times = 3 if what == "further results accepted" else 1
                    unit = "in %d of %d"
                    row([title, what, *(unit % (t.n[what], times * t.n["cases"]) for t in tallies)])
            for m, t in zip(makers, tallies):
                notes += [f"- {title}, {fresh(m).name}, {what}: `{text}`" for what, text in t.seen.items()]
        results = [paused_bohier(), paused_optuna("symlink"), paused_optuna("open")]
        for what in ("two holders at once", "readable", "lost"):
            words = ["yes: " + " and ".join(v) if isinstance(v, list) and v else "yes" if v else "no" for v in (r[what] for r in results)]
            row(["paused lock holder", {"lost": "acknowledged results not found any more"}.get(what, what), *words])
        for m, r in zip(makers, results):
            notes += [f"- paused lock holder, {fresh(m).name}, {who}: `{text}`" for who, text in r["said"].items()]
        print("\nFirst example of every kind of trouble:\n")
        print("\n".join(notes))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--holder":
        who, path, lock, trial, pause, linger = sys.argv[2:8]
        holder(who, path, lock, int(trial), pause == "1", float(linger))
    else:
        main()
