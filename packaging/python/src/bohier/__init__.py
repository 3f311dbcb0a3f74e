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
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Mapping, Optional, Type, Union

__all__ = ["Error", "Infeasible", "Study", "Trial", "find_program"]

Value = Union[bool, int, float, str]
Result = Union[float, Mapping[str, Value]]

# Exit codes of suggest: nothing is left to suggest, with a result (3) or without one (11).
_OVER = (3, 11)


class Error(Exception):
    """An error of the program. `code` is its exit code, `hint` says what to do."""

    def __init__(self, text: str, code: int, hint: str = "") -> None:
        super().__init__(f"{text} ({hint})" if hint else text)
        self.code = code
        self.hint = hint


class Infeasible(Exception):
    """Raised by an objective: the configuration cannot work. The text becomes the trial's note."""


@dataclass(frozen=True)
class Trial:
    """A configuration to measure. `params` has the active parameters by name."""

    id: str
    params: Mapping[str, Value]


def find_program() -> str:
    """Return the path of the program: BOHIER, that of the wheel, or the first on PATH."""
    name = "bohier.exe" if os.name == "nt" else "bohier"
    named = os.environ.get("BOHIER")
    installed = Path(sysconfig.get_path("scripts"), name)
    found = named or (str(installed) if installed.is_file() else shutil.which(name))
    if not found:
        raise FileNotFoundError("bohier is neither beside this Python nor on PATH; set BOHIER to its path")
    return found


def _number(value: Any) -> Union[float, str]:
    number = float(value)  # of numpy, too
    return number if math.isfinite(number) else str(number)  # JSON has no NaN, which makes a trial failed


class Study:
    """A study file and its journal, served by one process until `close`. Threads may share it."""

    def __init__(self, file: Union[str, "os.PathLike[str]"] = "bohier.yaml", journal: Optional[str] = None) -> None:
        command = [find_program(), "serve", "--stdio", "--config", os.fspath(file)]
        if journal is not None:
            command += ["--journal", journal]
        self._lock, self._numbers = threading.Lock(), itertools.count(1)
        self._lost: "list[Any]" = []
        # Ctrl-C is for this process, which still has trials to give back: the other is in a group of its own.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0))

    def request(self, verb: str, **members: Any) -> Any:
        """Return the result of a verb of `bohier help serve`. Raise Error if its code is not 0."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        # A trial that nobody learns of goes back, unless its asker can ask for it again.
        goes_back = verb == "suggest" and not {"key", "worker", "dry-run"} & set(members)
        number = [next(self._numbers), goes_back]
        text = json.dumps({"verb": verb, **members, "id": number}) + "\n"
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
                    if answer["id"][1] and answer["code"] == 0:  # its request was interrupted
                        self._lost += answer["result"] if isinstance(answer["result"], list) else [answer["result"]]
            except (OSError, ValueError) as cause:
                raise Error("bohier serve has ended", self._process.poll() or 1) from cause
            lost, self._lost = self._lost, []
        for trial in lost:
            with contextlib.suppress(Error):  # it may be somebody's by now
                self.request("return", trial=trial["id"])
        if answer["code"] != 0:
            error = answer.get("error") or {}
            raise Error(error.get("error", f"{verb}: exit code {answer['code']}"), answer["code"], error.get("hint") or "")
        return answer["result"]

    def ask(self, **flags: Any) -> Optional[Trial]:
        """Return the next trial, or None if nothing is left to suggest. `flags` are those of suggest."""
        try:
            got = self.request("suggest", **flags)
        except Error as error:
            if error.code in _OVER:
                return None
            raise
        return Trial(got["id"], got["params"])

    def tell(self, trial: Union[Trial, str], result: Result, **flags: Any) -> None:
        """Record the result: a number, or what a command would print as JSON. `flags` are those of observe.

        The object has the outcomes by name and perhaps cost, stderr, duration and note; its other members are metrics.
        """
        named: "dict[str, Any]" = (
            {"input": {name: value if isinstance(value, (str, bool)) else _number(value) for name, value in result.items()}}
            if isinstance(result, Mapping) else {"value": _number(result)})
        self.request("observe", trial=trial.id if isinstance(trial, Trial) else trial, **named, **flags)

    def optimize(self, objective: Callable[..., Result], trials: Optional[int] = None) -> None:
        """Measure suggestions by `objective(**params)`: `trials` of them, or until the study is over.

        An interrupted trial is given back, and so is one whose result is refused. A trial whose objective raises is
        recorded as a transient failure before the exception goes on.
        """
        done = 0
        while trials is None or done < trials:
            trial = self.ask()
            if trial is None:
                return
            try:
                self.tell(trial, objective(**trial.params))
            except Infeasible as reason:
                self.request("observe", trial=trial.id, fail="infeasible", note=str(reason))
            except (KeyboardInterrupt, SystemExit, Error):
                with contextlib.suppress(Error):  # its result may be recorded already
                    self.request("return", trial=trial.id)
                raise
            except Exception as cause:
                self.request("observe", trial=trial.id, fail="transient", note=f"{type(cause).__name__}: {cause}"[:200])
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
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()
