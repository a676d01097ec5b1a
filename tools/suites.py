"""Run suites of pytest that others wrote over the toolkit root, and sort what does not pass.

A file is a process with a limit of time. A test that ends its process, or outlasts the limit, is
named, and the rest of the file is run without it.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from backend_ops import Known, Result

TOOLS = Path(__file__).resolve().parent
OWN = TOOLS / "client_suites"
TOOLKIT = TOOLS.parent / "pyaclnn" / "_toolkit"
OUTCOMES = ("passed", "differs", "refused", "not simulated", "ended", "too long", "failed")
#: A file whose tests end the process more often is given up.
_STARTS = 40

_REFUSED = re.compile(r"(\w+?)(?:GetWorkspaceSize)? answers (\d+): ([^\n]*)")
_BY_NAME = re.compile(r"(\w+) is asked for by its name, and is not simulated")
_DECLARED = "declared, not simulated"
_DIFFERS = re.compile(r"^assert |AssertionError|Tensor-likes are not|Mismatched elements|not equal")


@dataclass(frozen=True)
class Suite:
    """A folder of tests."""

    name: str
    folders: tuple[str, ...]  # below the sources, or of the tool's own folder
    needs: str = ""  # the checkout that it is in
    parts: int = 1  # each file is run in so many parts, which it makes itself
    own: bool = False  # whether its files are the tool's own, and find the checkout in a variable
    packages: tuple[str, ...] = ()  # what it imports beyond what all suites do

    def files(self, sources: Path | None, pattern: str = "", limit: int = 0) -> list[Path]:
        """Return its files, or as many as are drawn, evenly.

        Parameters
        ----------
        sources : Path, optional
            The checkout.
        pattern : str, optional
            What the names of files contain, a regular expression.
        limit : int, optional
            How many, 0 for all.
        """
        root = (sources or Path()) if self.needs and not self.own else OWN
        found = [path for f in self.folders for path in sorted(root.glob(f"{f}/**/test_*.py"))]
        found += [root / f for f in self.folders if f.endswith(".py")]
        found = [path.resolve() for path in found if re.search(pattern, path.name)]
        if 0 < limit < len(found):
            found = [found[i * len(found) // limit] for i in range(limit)]
        return found


SUITES = {
    suite.name: suite
    for suite in (
        Suite("op-plugin", ("test/test_base_ops",), "Ascend/op-plugin"),
        Suite(
            "op-plugin-custom", ("test/test_custom_ops", "test/test_v2r*_ops"), "Ascend/op-plugin"
        ),
        Suite("torch-npu", ("test/npu", "test/optim", "test/nn"), "Ascend/pytorch"),
        Suite("opinfo", ("test_opinfo.py",), parts=6),
        Suite("models", ("test_models.py",)),
        Suite("accelerate", ("test_accelerate.py",), packages=("accelerate",)),
        Suite(
            "transformers", ("test_transformers.py",), packages=("transformers<5", "diffusers<1")
        ),
        Suite("vllm", ("test_vllm_ascend.py",), "vllm-project/vllm-ascend", parts=2, own=True),
    )
}


def sort_failure(why: str) -> tuple[str, str]:
    """Return the kind of a failure, and its reason in a line.

    Parameters
    ----------
    why : str
        What pytest wrote of it.
    """
    if found := _BY_NAME.search(why):
        return "not simulated", found[1]
    # torch_npu repeats what earlier calls answered, such as those that it has another way for.
    for function, status, text in reversed(_REFUSED.findall(why)):
        text = text.removeprefix(f"{function}: ")
        if status == "561003" and "not simulated" in text:
            return "not simulated", function if text == _DECLARED else f"{function}: {text}"
        return "refused", f"{function}: {status}: {text}"
    said = [line[2:].strip() for line in why.splitlines() if line.startswith("E ")]
    line = next(iter(said), (why.strip().splitlines() or [""])[-1])
    return ("differs" if _DIFFERS.search(line) else "failed"), line[:200]


def read_report(report: Path) -> dict[str, Result]:
    """Return what became of the tests that a report names; those begun only have ``ended``."""
    made = {}
    for text in report.read_text("utf-8").splitlines() if report.exists() else ():
        line = json.loads(text)
        outcome, why = line["outcome"], line["why"]
        if outcome == "begun":
            outcome, why = "ended", "its process ended"
        elif outcome == "failed":
            outcome, why = sort_failure(why)
        elif outcome == "skipped":
            why = (why.strip().splitlines() or [""])[-1][:200]
        made[line["case"]] = Result(line["case"], outcome, why)
    return made


def _run_files(python: Path, paths: Sequence[Path], part: str, seconds: float) -> list[Result]:
    """Run files of a folder until all tests have a line, each start in a process of its own."""
    path = paths[0]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        outside = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        own = {"PYTHONPATH": f"{OWN}:{path.parent}", "PYACLNN_REPORT": str(report)}
        # Tests start `python` and `torchrun`, too.
        own["PATH"] = f"{python.parent}:{outside.get('PATH', os.defpath)}"
        # Errors are those of the call that is made, and not of one that waits for it.
        options = {"TASK_QUEUE_ENABLE": "0", **outside, **own, "PYACLNN_PART": part}
        command = [str(python), "-m", "pytest", "-q", "-p", "each_test", "-p", "no:cacheprovider"]
        # The configuration of a folder above is not that of the suite.
        command += ["--continue-on-collection-errors", "-c", os.devnull]
        command += [f"--rootdir={path.parent}", *(p.name for p in paths)]
        script = f"source {TOOLKIT}/set_env.sh && exec {shlex.join(command)}"
        late: dict[str, Result] = {}
        for _ in range(_STARTS):
            known = len(read_report(report))
            output = Path(folder) / "output"
            with output.open("w") as said:
                process = subprocess.Popen(
                    ["bash", "-c", script], cwd=path.parent, env=options, stdout=said,
                    stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                )  # fmt: skip
                try:
                    status = process.wait(seconds * len(paths))
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, 9)
                    process.wait()
                    status = 0
                    begun = [r for r in read_report(report).values() if r.outcome == "ended"]
                    late |= {r.case: Result(r.case, "too long", f"{seconds:g} s") for r in begun}
                    if len(paths) > 1 and begun:  # the others are run without it
                        continue
                    late = late or {path.name: Result(path.name, "too long", f"{seconds:g} s")}
                    break
            if status in (0, 1, 5) or len(read_report(report)) == known:
                break
        made = {**read_report(report), **late}
        if not made and status not in (0, 5):
            last = (output.read_text(errors="replace").strip().splitlines() or [""])[-1]
            made[path.name] = Result(path.name, "failed", last)
        return list(made.values())


def run_suite(
    python: Path,
    suite: Suite,
    files: Sequence[Path],
    *,
    seconds: float,
    jobs: int = 1,
    together: int = 1,
) -> Iterator[tuple[Path, list[Result]]]:
    """Run files of a suite, and give what became of their tests as each of them ends.

    Parameters
    ----------
    python : Path
        The Python of the clients' environment.
    suite : Suite
        Which suite.
    files : sequence of Path
        Its files.
    seconds : float
        What a file may take.
    jobs : int, optional
        How many are run at once.
    together : int, optional
        How many of a folder share a process, which imports torch once.
    """
    by_folder = [list(group) for _, group in itertools.groupby(files, lambda path: path.parent)]
    batches = [g[i : i + together] for g in by_folder for i in range(0, len(g), together)]
    with ThreadPoolExecutor(jobs) as pool:
        parts = [(paths, f"{k}/{suite.parts}") for paths in batches for k in range(suite.parts)]
        runs = [pool.submit(_run_files, python, paths, part, seconds) for paths, part in parts]
        for (paths, _), run in zip(parts, runs, strict=True):
            made = run.result()
            for path in paths:
                yield path, [r for r in made if r.case.partition("::")[0] == path.name]


def summary(results: Iterable[Result], known: Sequence[Known]) -> tuple[str, int]:
    """Return counts and reasons, and how many failures are not expected.

    Parameters
    ----------
    results : iterable of Result
        Of all tests.
    known : sequence of Known
        Which failures are expected, and why.
    """
    results = list(results)
    ran = [r for r in results if r.outcome != "skipped"]
    counts = [f"{sum(r.outcome == o for r in ran)} {o}" for o in OUTCOMES]
    lines = [f"{len(ran)} tests: {', '.join(c for c in counts if not c.startswith('0 '))}"]
    groups: dict[tuple[str, str], list[Result]] = {}
    unexpected = 0
    for result in ran:
        reason = next((k.reason for k in known if k.covers(result)), None)
        if result.outcome == "passed":
            if reason:
                lines.append(f"passes although it is listed: {result.case}")
            continue
        unexpected += reason is None
        kind = "expected" if reason else result.outcome
        gist = re.sub(r"-?\b(0x[0-9a-f]+|\d[\d.e-]*)\b", "#", result.why)
        groups.setdefault((kind, reason or gist), []).append(result)
    for (kind, reason), cases in sorted(groups.items(), key=lambda g: -len(g[1])):
        lines += [f"{len(cases):>5} {kind:<14} {reason}", f"      for example {cases[0].case}"]
    return "\n".join(lines), unexpected
