"""Client of the bohier program: ask for configurations, tell their results."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import shutil
import subprocess
import sysconfig
import threading
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Mapping, Optional, SupportsFloat, Type, Union

__all__ = ["Error", "Infeasible", "Study", "Trial", "find_program"]

Result = Union[SupportsFloat, Mapping[str, Any]]

# Exit codes of suggest: nothing is left to suggest, with a result, or without one or after too many failures.
_OVER, _NO_RESULT = 3, 11


class Error(Exception):
    """An error of the program. `code` is its exit code, `hint` says what to do."""

    def __init__(self, text: str, code: int, hint: str = "") -> None:
        super().__init__(text, code, hint)  # all of them, for pickle: other processes send it home
        self.text, self.code, self.hint = text, code, hint

    def __str__(self) -> str:
        return f"{self.text} ({self.hint})" if self.hint else self.text


class Infeasible(Exception):
    """Raised by an objective: the configuration cannot work. The text becomes the trial's note."""


@dataclass(frozen=True)
class Trial:
    """A configuration to measure. `params` has the active parameters by name.

    `suggestion` is what `bohier suggest -o json` prints. In a study with a fidelity its "fidelity" has
    "from" and "to", where the work begins and how far it goes.
    """

    id: str
    params: Mapping[str, Any]
    suggestion: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


def find_program() -> str:
    """Return the path of the program: BOHIER, that of the wheel, or the first on PATH."""
    name = "bohier.exe" if os.name == "nt" else "bohier"
    named = os.environ.get("BOHIER")
    installed = Path(sysconfig.get_path("scripts"), name)
    found = named or (str(installed) if installed.is_file() else shutil.which(name))
    if not found:
        raise FileNotFoundError("bohier is neither beside this Python nor on PATH; set BOHIER to its path")
    return found


def _plain(value: Any) -> Any:
    """Return a value as JSON knows it. NaN and infinity become texts, which make a trial failed."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    for convert in ("item", "tolist"):  # a number or an array of numpy, pandas or torch
        with contextlib.suppress(AttributeError, TypeError, ValueError, RuntimeError):
            inner = getattr(value, convert)()
            if type(inner) is not type(value):  # as that of numpy's longdouble is
                return _plain(inner)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return number if math.isfinite(number) else str(number)


def _flags(flags: Mapping[str, Any]) -> "dict[str, Any]":
    return {name.replace("_", "-"): value for name, value in flags.items()}


class Study:
    """A study file and its journal, served by one process until `close`.

    Threads may share it. Each process opens its own: they meet in the journal.
    """

    def __init__(self, file: Union[str, "os.PathLike[str]"] = "bohier.yaml", journal: Optional[str] = None) -> None:
        command = [find_program(), "serve", "--stdio", "--config", os.fspath(file)]
        if journal is not None:
            command += ["--journal", journal]
        self._lock, self._numbers = threading.Lock(), itertools.count(1)
        self._lost: "list[Any]" = []
        self._owner = os.getpid()
        # Ctrl-C is for this process, which still has trials to give back: the other is in a group of its own.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0))

    def request(self, verb: str, **members: Any) -> Any:
        """Return the result of a verb of `bohier help serve`. Raise Error if its code is not 0.

        Warnings of the program become warnings of Python.
        """
        if os.getpid() != self._owner:  # after a fork two processes would read each other's answers
            raise Error("this Study belongs to another process", 2, "open a Study in each process")
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        # A trial that nobody learns of goes back, unless its asker can ask for it again.
        goes_back = verb == "suggest" and not {"key", "worker", "dry-run"} & set(members)
        number = [next(self._numbers), goes_back]
        text = json.dumps({"verb": verb, **members, "id": number}, default=_plain) + "\n"
        with self._lock:
            try:
                stdin.write(text)
                stdin.flush()
                while True:
                    line = stdout.readline()
                    if not line:
                        raise Error("bohier serve has ended", self._process.wait() or 1)
                    answer = json.loads(line)
                    if answer["id"] in (number, None):  # None: the request was not understood
                        break
                    self._lose(answer)  # its request was interrupted
            except (OSError, ValueError) as cause:
                raise Error("bohier serve has ended", self._process.poll() or 1) from cause
            lost, self._lost = self._lost, []
        for trial in lost:
            with contextlib.suppress(Error):  # it may be somebody's by now
                self.request("return", trial=trial["id"])
        try:
            for warning in answer["warnings"]:
                warnings.warn(warning, stacklevel=2)
        except Warning:  # as errors, by a filter
            self._lose(answer)
            raise
        if answer["code"] != 0:
            error = answer.get("error") or {}
            raise Error(error.get("error", f"{verb}: exit code {answer['code']}"), answer["code"], error.get("hint") or "")
        return answer["result"]

    def _lose(self, answer: Mapping[str, Any]) -> None:
        """Have the next request give back the trials of an answer that nobody gets."""
        if answer["id"] and answer["id"][1] and answer["code"] == 0:
            self._lost += answer["result"] if isinstance(answer["result"], list) else [answer["result"]]

    def ask(self, **flags: Any) -> Optional[Trial]:
        """Return the next trial, or None if nothing is left to suggest.

        An end without a result, or by failures, is a warning. `flags` are those of suggest, such as `dry_run=True`.
        """
        if "number" in flags:
            raise TypeError("ask returns one trial; request('suggest', number=N) returns a list")
        try:
            got = self.request("suggest", **_flags(flags))
        except Error as error:
            if error.code == _NO_RESULT:
                warnings.warn(str(error), stacklevel=2)
            elif error.code != _OVER:
                raise
            return None
        return Trial(got["id"], got["params"], got)

    def tell(self, trial: Union[Trial, str], result: Result, **flags: Any) -> Any:
        """Record the result: a number, or what a command would print as JSON. `flags` are those of observe.

        The object has the outcomes by name and perhaps cost, stderr, duration and note; its other members are metrics.
        Return what `bohier observe -o json` prints. In a study with a fidelity that has a verdict on the trial:
        it goes on only where `tell(trial, loss, at=epoch)["verdict"]` is "go".
        """
        name = "input" if isinstance(result, Mapping) else "value"
        told = {"trial": trial.id if isinstance(trial, Trial) else trial, name: _plain(result)}
        return self.request("observe", **told, **_flags(flags))

    def optimize(self, objective: Callable[..., Result], trials: Optional[int] = None) -> None:
        """Measure suggestions by `objective(**params)`: `trials` of them, or until the study is over.

        In a study with a fidelity the objective has its name as a further argument, which says how far to go.

        An interrupted trial is given back, and so is one whose result is refused. A trial whose objective raises is
        recorded as a transient failure before the exception goes on.
        """
        done = 0
        while trials is None or done < trials:
            trial = self.ask()
            if trial is None:
                return
            leg = trial.suggestion.get("fidelity")
            reach = {leg["name"]: leg["to"]} if leg else {}
            try:
                self.tell(trial, objective(**trial.params, **reach))
            except Infeasible as reason:
                self.request("observe", trial=trial.id, fail="infeasible", note=str(reason))
            except (KeyboardInterrupt, SystemExit, Error):
                with contextlib.suppress(Error):  # its result may be recorded already
                    self.request("return", trial=trial.id)
                raise
            except Exception as cause:
                note = f"{type(cause).__name__}: {cause}"[:200]
                with contextlib.suppress(Error):  # a warning that is an error comes after the result
                    self.request("observe", trial=trial.id, fail="transient", note=note)
                raise
            done += 1

    def best(self) -> Any:
        """Return what `bohier best -o json` prints."""
        return self.request("best")

    def close(self) -> None:
        """End the process; what was recorded stays in the journal."""
        with contextlib.suppress(Error):
            self.request("version")  # after which no answer is left unread
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # a process that was killed reads no more
                self._process.stdin.close()
        if os.getpid() == self._owner:
            try:
                self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:  # children of a fork still hold its standard input open
                self._process.terminate()
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()
