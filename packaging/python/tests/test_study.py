"""Tests of the client. BOHIER names the program; pytest and unittest both run them."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from unittest import mock

from bohier import Error, Infeasible, Study, Trial, find_program

STUDY = """
objective: {name: loss, direction: minimize, noise: none}
space:
  kernel: [linear, rbf]
  C: {type: float, low: 1.0e-3, high: 1.0e+3, scale: log}
  gamma: {type: float, low: 0.0, high: 1.0, active_if: {kernel: rbf}}
budget: {trials: 6}
"""


class Scalar:
    """A number as numpy has it: no float, and no JSON."""

    def __init__(self, value):
        self.item = lambda: value


class Long(float):
    """A number that has no other form, as numpy's longdouble."""

    def item(self):
        return self

    tolist = item


class Array:
    """An array as numpy has it."""

    def __init__(self, *values):
        self.tolist = lambda: list(values)

    def item(self):
        raise ValueError("can only convert an array of size 1 to a Python scalar")


class StudyTest(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.file = Path(self.dir.name, "bohier.yaml")
        self.file.write_text(STUDY)

    def shell(self, *words):
        return subprocess.run([find_program(), *words], cwd=self.dir.name, check=True, text=True, stdout=subprocess.PIPE).stdout

    def test_ask_tell_until_the_budget_is_used(self):
        with Study(self.file) as study:
            seen = 0
            while (trial := study.ask()) is not None:
                self.assertEqual("gamma" in trial.params, trial.params["kernel"] == "rbf")
                study.tell(trial, 0.5 + seen)
                seen += 1
            self.assertEqual(seen, 6)
            self.assertEqual(study.best()["values"], {"loss": 0.5})
        self.assertEqual(self.shell("best", "-o", "id").strip(), "1-" + self.shell("best", "-o", "id").strip()[2:])

    def test_optimize_counts_trials_and_records_failures(self):
        def objective(kernel, C, gamma=0.5):
            if kernel == "linear":
                raise Infeasible("no linear kernel here")
            return {"loss": gamma}

        with Study(self.file) as study:
            study.optimize(objective, trials=4)
        trials = self.shell("trials", "-o", "jsonl").splitlines()
        self.assertEqual(len(trials), 4)
        for line in trials:
            self.assertEqual('"kernel":"linear"' in line, '"infeasible"' in line, line)

    def test_a_result_is_what_a_command_would_print(self):
        with Study(self.file) as study:
            trial = study.ask()
            study.tell(trial, {"loss": 0.25, "stderr": 0.125, "folds": 3, "data": "digits"})
            told = study.request("show", trial=trial.id)
            self.assertEqual((told["values"], told["stderr"], told["metrics"]),
                             ({"loss": 0.25}, 0.125, {"data": "digits", "folds": 3}))
            with self.assertRaises(Error):
                study.optimize(lambda **_: {"los": 1})
        self.assertIn('"waiting":1', self.shell("status", "-o", "json"))

    def test_numbers_of_other_libraries_are_told(self):
        with Study(self.file) as study:
            trial = study.ask(fix={"kernel": "rbf", "gamma": Scalar(0.5)})
            self.assertEqual(trial.params["gamma"], 0.5)
            study.tell(trial, {
                "loss": Scalar(0.25), "folds": Scalar(3), "ok": Scalar(True), "price": Decimal("1.5"), "long": Long(2),
                "of": Path("data"), "scores": Array(0.5, float("nan")), "no": None, "bad": Scalar(float("nan")),
            }, metric={"acc": Scalar(0.75)})
            told = study.request("show", trial=trial.id)
        self.assertEqual(told["values"], {"loss": 0.25})
        self.assertEqual(told["metrics"], {
            "acc": 0.75, "bad": "nan", "folds": 3, "long": 2, "of": "data", "ok": "true", "price": 1.5})

    def test_a_result_that_is_none_is_named(self):
        with Study(self.file) as study:
            for result, text in ((None, "null"), ((0.5, 0.6), "[0.5, 0.6]")):
                with self.assertRaises(Error) as caught:
                    study.tell(study.ask(), result)
                self.assertIn(f'"value" is a text, a number or a boolean, not {text}', str(caught.exception))

    def test_a_leg_has_its_goal_and_its_verdict(self):
        self.file.write_text(STUDY + "fidelity: {name: epochs, low: 1, high: 9, resume: true}\n")
        reached = []

        def objective(kernel, C, epochs, gamma=0.5):
            reached.append(epochs)
            return C

        with Study(self.file) as study:
            trial = study.ask()
            self.assertEqual(trial.suggestion["fidelity"], {"name": "epochs", "from": 0, "to": 1, "high": 9})
            self.assertEqual(study.tell(trial, 0.5, at=1)["verdict"], "pause")
            straight = study.ask(start=9)
            self.assertEqual([study.tell(straight, 0.5, at=at)["verdict"] for at in (1, 9)], ["go", "done"])
            study.optimize(objective, trials=1)
        self.assertEqual(reached, [1])

    def test_flags_are_written_with_underscores_and_ask_is_for_one(self):
        with Study(self.file) as study:
            self.assertIsInstance(study.ask(dry_run=True), Trial)
            self.assertEqual(study.request("trials"), [])
            with self.assertRaises(TypeError):
                study.ask(number=2)

    def test_warnings_of_the_program_are_warnings(self):
        with Study(self.file) as study, warnings.catch_warnings(record=True) as caught:
            study.tell(study.ask(), float("nan"))
        self.assertEqual(len(caught), 1, caught)

    def test_a_warning_that_is_an_error_loses_no_trial(self):
        with Study(self.file) as study:
            study.tell(study.ask(), 0.5)
        self.file.write_text(STUDY.replace("noise: none", "noise: auto"))
        with Study(self.file) as study, warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(UserWarning):
                study.ask()
        self.assertIn('"waiting":1', self.shell("status", "-o", "json"))
        with Study(self.file) as study, warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(UserWarning):
                study.optimize(lambda **_: float("nan"), trials=1)

    def test_an_end_without_a_result_is_no_silent_one(self):
        def objective(**_):
            raise Infeasible("too hot")

        with Study(self.file) as study, warnings.catch_warnings(record=True) as caught:
            study.optimize(objective)
            self.assertIsNone(study.ask())
        self.assertIn("the budget of 6 trials is used", str(caught[-1].message))

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_a_study_is_not_for_a_forked_process(self):
        study = Study(self.file)
        child = os.fork()
        if child == 0:
            try:
                study.ask()
            except Error as error:
                os._exit(0 if "another process" in str(error) else 1)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        holder = os.fork()
        if holder == 0:
            signal.pause()
        study.ask()
        study.close()  # though the child holds the other end
        os.kill(holder, signal.SIGKILL)
        os.waitpid(holder, 0)

    def test_an_error_comes_home_from_another_process(self):
        error = pickle.loads(pickle.dumps(Error("no trial", 4, "look")))
        self.assertEqual((str(error), error.code, error.hint), ("no trial (look)", 4, "look"))

    def test_an_exception_is_recorded_and_goes_on(self):
        def objective(**_):
            raise RuntimeError("no graphics card")

        with Study(self.file) as study, self.assertRaises(RuntimeError):
            study.optimize(objective)
        self.assertIn("RuntimeError: no graphics card", self.shell("trials", "-o", "jsonl"))

    def test_an_interrupted_trial_is_given_back(self):
        def objective(**_):
            raise KeyboardInterrupt

        with Study(self.file) as study:
            with self.assertRaises(KeyboardInterrupt):
                study.optimize(objective)
            self.assertEqual(study.ask().id[:2], "1-")

    @unittest.skipIf(os.name == "nt", "there are no process groups")
    def test_an_interrupt_of_the_terminal_gives_the_trial_back(self):
        program = (
            "import signal, sys, time; from bohier import Study; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "def measure(**_): print('measuring', flush=True); time.sleep(60)\n"
            "with Study(sys.argv[1]) as study: study.optimize(measure)")
        with subprocess.Popen([sys.executable, "-c", program, str(self.file)], start_new_session=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            child.stdout.readline()
            os.killpg(child.pid, signal.SIGINT)
            self.assertIn("KeyboardInterrupt", child.communicate()[1].splitlines()[-1])
        with Study(self.file) as study:
            self.assertEqual(study.ask().id[:2], "1-")

    def test_the_answer_to_an_interrupted_request_is_skipped_and_its_trial_given_back(self):
        with Study(self.file) as study:
            real = study._process.stdout
            with mock.patch.object(study._process, "stdout", mock.Mock(readline=mock.Mock(side_effect=KeyboardInterrupt))):
                with self.assertRaises(KeyboardInterrupt):
                    study.ask()
            self.assertIs(study._process.stdout, real)
            self.assertEqual(study.request("version")["schema"], "bohier/version/1")
            self.assertEqual(study.ask().id[:2], "1-")
            with mock.patch.object(study._process, "stdout", mock.Mock(readline=mock.Mock(side_effect=KeyboardInterrupt))):
                with self.assertRaises(KeyboardInterrupt):
                    study.request("suggest", number=2)
        with Study(self.file) as study:
            self.assertEqual([study.ask().id[:2], study.ask().id[:2]], ["2-", "3-"])

    def test_what_is_no_json_is_answered(self):
        with Study(self.file) as study:
            trial = study.ask()
            with self.assertRaises(Error):
                study.request("observe", trial=trial.id, value=float("nan"))
            self.assertEqual(study.request("version", id=0)["schema"], "bohier/version/1")
            study.tell(trial, float("nan"))
            study.tell(study.ask(), {"loss": float("inf")})
            self.assertEqual([trial["state"] for trial in study.request("trials")], ["failed", "failed"])

    def test_threads_get_their_own_answers(self):
        def work(_):
            while (trial := study.ask()) is not None:
                study.tell(trial, trial.params["C"])

        with Study(self.file) as study, ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
            for trial in study.request("trials"):
                self.assertEqual(trial["values"]["loss"], trial["params"]["C"])

    def test_errors_have_code_and_hint(self):
        with Study(self.file) as study:
            with self.assertRaises(Error) as caught:
                study.tell("9-abcd", 1.0)
        self.assertEqual(caught.exception.code, 4)
        with Study(Path(self.dir.name, "none.yaml")) as study:
            with self.assertRaises(Error) as caught:
                study.ask()
        self.assertEqual(caught.exception.code, 2)
        self.assertTrue(caught.exception.hint)

    def test_a_process_that_ended_is_an_error(self):
        study = Study(self.file)
        study._process.kill()
        study._process.wait()
        with self.assertRaises(Error):
            study.ask()
        study.close()


if __name__ == "__main__":
    unittest.main()
