"""Grades a class in several ways: do all come to the same, and how well do they share the work?

    python -m benchmarks.classroom --submissions 2000
    python -m benchmarks.classroom --submissions 100 --submissions 500 --ways two --hostile 0
    python -m benchmarks.classroom --submissions 2000 --drill softmax --shares 60,35,5

The class is the corpus of labelled submissions, copied to students; the copies after the first
differ by a comment, so that none is graded once for two. A share of the students hands in hostile
programs instead: endless loops, memory, fork bombs, signals. Everybody else's verdict must be that
of their label, and the same in all ways: `one` warm process, `two` processes, `dask` with two
workers, `killed` (two processes, one of which is killed in the middle), `resumed` (ended in the
middle and run again).

One process keeps more than one core busy: it compares answers while its worker computes the next.
So `one` is kept on one core, and the others on two: that they are twice as fast is then possible on
two cores. `--free` leaves all of them all cores. CPU time and memory are those of this process and
all that it started, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks._measure import tree_cpu, tree_memory
from benchmarks.verdicts import ONE_MISTAKE
from studyattn.classroom import executors
from studyattn.classroom.course import Assignment, assignment, grade_class
from studyattn.classroom.hand_ins import hand_ins
from studyattn.classroom.marking import Journal
from studyattn.classroom.score import Score
from studyattn.grading import Grader
from studyattn.home import Home
from tests.corpus import FOLDER, submissions

ROOT = Path(__file__).parent.parent
HOSTILE = tuple(
    ROOT / "tests" / "hostile" / f"{name}.py"
    for name in ("infinite_loop", "allocate_lists", "fork_bomb", "signal_everything", "kill_parent")
)
ATTACKED = "attention"
"""The drill that hostile programs are handed in for: they define its entry."""

SEED = 20
WAYS = ("one", "two", "dask", "killed", "resumed")


@dataclass(frozen=True, slots=True)
class Class:
    """A folder of hand-ins: each student's drill, who must pass, and who is hostile."""

    folder: Path
    given: Mapping[str, str]
    right: frozenset[str]
    hostile: frozenset[str]

    @property
    def students(self) -> int:
        return len(self.given)


def make_class(
    folder: Path,
    count: int,
    hostile: float,
    drills: Sequence[str] = (),
    shares: Sequence[float] = (),
) -> Class:
    """Write `count` hand-ins, of which the share `hostile` from 0 to 1 is not of the corpus.

    With `shares`, they are drawn: so many parts of them are right, wrong in a way that has one
    name, and wrong in another way. Else all of the corpus are used in turn.
    """
    corpus = [
        (drill.name, kind == "right", path)
        for drill in sorted(FOLDER.iterdir())
        if not drills or drill.name in drills
        for kind in ("right", "wrong")
        for path in sorted((submissions(drill.name) / kind).iterdir())
        if path.suffix == ".py" or (path / "submission.py").is_file()
    ]
    if shares:
        kinds: list[list[tuple[str, bool, Path]]] = [[], [], []]
        for each in corpus:
            if each[2].suffix == ".py":
                named = ONE_MISTAKE.search(each[2].read_bytes())
                kinds[0 if each[1] else 1 if named else 2].append(each)
        draw = random.Random(SEED)
        corpus = [draw.choice(kind) for kind in draw.choices(kinds, shares, k=count)]
        corpus.sort(key=lambda each: each[0])
    corpus = corpus[:: max(1, len(corpus) // count)]
    every = round(1 / hostile) if hostile else count + 1
    right, enemies = set(), set()
    given: dict[str, str] = {}
    for number in range(count):
        student = f"s{number:05}"
        drill, passes, path = corpus[number % len(corpus)]
        own = folder / student
        if number % every == every - 1:
            enemies.add(student)
            given[student] = ATTACKED
            own.mkdir(parents=True)
            enemy = HOSTILE[len(enemies) % len(HOSTILE)]
            (own / f"{ATTACKED}.py").write_text(f"{enemy.read_text('utf-8')}\n# copy {number}\n")
            continue
        given[student] = drill
        if path.is_dir():
            shutil.copytree(path, own)
            (own / "submission.py").rename(own / f"{drill}.py")
        else:
            own.mkdir(parents=True)
            shutil.copy(path, own / f"{drill}.py")
        if passes:
            right.add(student)
        if shares or number >= len(corpus):
            with (own / f"{drill}.py").open("a", encoding="utf-8") as file:
                file.write(f"\n# copy {number}\n")
    return Class(folder, given, frozenset(right), frozenset(enemies))


@dataclass(slots=True)
class Way:
    """A way to grade: the verdict and mistakes of each student, and the seconds it took."""

    name: str
    verdicts: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of all processes
    own: float = 0.0  # of it of this one, which reads, hands out and collects
    memory: list[float] = field(default_factory=list)  # MB of this process after each eighth
    eighths: list[float] = field(default_factory=list)  # seconds of CPU until then


class StoppedInTheMiddleError(Exception):
    """The run was ended when half of it was done."""


def carry_out(name: str, of: Class, given: Assignment, *, free: bool = False) -> Way:
    """Grade the class in one way, on as many cores as it has workers."""
    way = Way(name)
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores if free else sorted(cores)[: 1 if name == "one" else 2])
    began, busy, own = time.monotonic(), tree_cpu(os.getpid()), time.process_time()
    with tempfile.TemporaryDirectory() as kept:
        journal = Path(kept) / "journal.jsonl"
        if name == "resumed":
            with contextlib.suppress(StoppedInTheMiddleError):
                _grade(way, of, given, executors.processes(2), journal, told=_stopping(of.students))
        if name == "dask":
            with _cluster() as address, executors.dask(address) as workers:
                _grade(way, of, given, workers, journal)
        else:
            told = _killing(of.students) if name == "killed" else _nothing
            workers = executors.processes(1 if name == "one" else 2)
            _grade(way, of, given, workers, journal, told=told)
    way.seconds, way.own = time.monotonic() - began, time.process_time() - own
    way.cpu -= busy
    os.sched_setaffinity(0, cores)
    return way


def _grade(
    way: Way,
    of: Class,
    given: Assignment,
    workers: executors.Workers,
    journal: Path,
    *,
    told: Callable[[int], None] = lambda _: None,
) -> None:
    done = 0

    def watched(more: int) -> None:
        nonlocal done
        eighths = 8 * done // of.students
        done += more
        if 8 * done // of.students > eighths:
            way.memory.append(tree_memory(os.getpid(), of_children=False)[0])
            way.cpu = tree_cpu(os.getpid())  # while all are there whose time is told
            way.eighths.append(way.cpu)
        told(more)

    folders = {drill: brief.folder for drill, brief in given.briefs.items()}
    with (
        hand_ins(of.folder, given.asked) as found,
        Journal(journal, folders, SEED) as kept,
        Grader() as grader,
    ):
        graded = grade_class(found, given, grader, workers, kept, score=Score(), told=watched)
    way.verdicts = {
        each.student: (each.verdict, each.mistakes)
        for each in graded.results
        if each.file and of.given[each.student] == each.drill
    }


def _nothing(_more: int) -> None:
    return


def _stopping(students: int) -> Callable[[int], None]:
    done = 0

    def told(more: int) -> None:
        nonlocal done
        done += more
        if done >= students // 2:
            raise StoppedInTheMiddleError

    return told


def _killing(students: int) -> Callable[[int], None]:
    """Kill one of the processes, when half of the class is graded."""
    from multiprocessing import active_children

    done = 0

    def told(more: int) -> None:
        nonlocal done
        done += more
        if done >= students // 2 > done - more:
            active_children()[0].kill()

    return told


@contextlib.contextmanager
def _cluster() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def _astray(way: Way, of: Class) -> list[str]:
    """Return the students whose verdict is not that of their label, hostile ones apart."""
    return [
        f"{student}: {verdict}"
        for student, (verdict, _) in sorted(way.verdicts.items())
        if (verdict == "passed") != (student in of.right)
    ]


def _told(way: Way, of: Class, first: Way) -> bool:
    """Print what one way came to; whether it is what it must be."""
    apart = [
        student
        for student, verdict in way.verdicts.items()
        if verdict != first.verdicts[student] and student not in of.hostile
    ]
    astray = _astray(way, of)
    lost = of.students - len(way.verdicts)
    hostile = sorted(
        verdict for student, (verdict, _) in way.verdicts.items() if student in of.hostile
    )
    counts = ", ".join(f"{hostile.count(each)} {each}" for each in dict.fromkeys(hostile))
    print(
        f"{way.name:<8} {of.students:>6} submissions  {way.seconds:8.1f} s"
        f"  {of.students / way.seconds:6.2f} a second"
        f"  {way.cpu:.1f} s of CPU, {of.students / way.cpu:.2f} for each, {way.own:.1f} s here"
        f"  lost {lost}, unlike the label {len(astray)}, unlike {first.name} {len(apart)}",
        flush=True,
    )
    print(f"         MB of this process: {', '.join(f'{each:.0f}' for each in way.memory)}")
    spent = (f"{after - before:.0f}" for before, after in itertools.pairwise(way.eighths))
    print(f"         seconds of CPU for each eighth but the first: {', '.join(spent)}")
    if hostile:
        print(f"         hostile: {counts}", flush=True)
    for each in [*astray, *apart][:10]:
        print(f"         {each}", flush=True)
    return not (lost or astray or apart)


def main() -> int:
    """Grade classes of each size in each way; 0 when all of them come to the same."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--submissions", type=int, action="append", help="of a class; repeatable")
    parser.add_argument("--ways", default="one,two,dask", help=", ".join(WAYS))
    parser.add_argument("--hostile", type=float, default=0.01, help="share of the class")
    parser.add_argument("--shares", help="of right, named and other ones, such as 60,35,5")
    parser.add_argument("--free", action="store_true", help="leave all cores to each way")
    parser.add_argument("--drill", action="append", default=[], help="of the class; repeatable")
    chosen = parser.parse_args()
    names = chosen.ways.split(",")
    shares = [float(each) for each in (chosen.shares or "").split(",") if each]
    good = True
    for count in chosen.submissions or [50]:
        with tempfile.TemporaryDirectory() as place:
            of = make_class(Path(place) / "class", count, chosen.hostile, chosen.drill, shares)
            given = assignment(Home(Path(place) / "home"), sorted(set(of.given.values())))
            good = _compare(of, given, names, free=chosen.free) and good
    return 0 if good else 1


def _compare(of: Class, given: Assignment, names: Sequence[str], *, free: bool) -> bool:
    ways: list[Way] = []
    good = True
    for name in names:
        ways.append(carry_out(name, of, given, free=free))
        good = _told(ways[-1], of, ways[0]) and good
    by_name = {way.name: way for way in ways}
    for name in set(names) - {"one"}:
        one = by_name.get("one")
        if one:
            share = one.seconds / (2 * by_name[name].seconds)
            cpu = one.cpu / by_name[name].cpu
            print(
                f"         {name}: {share:.2f} of two times one process by the clock,"
                f" {cpu:.2f} of its submissions for each second of CPU",
                flush=True,
            )
    return good


if __name__ == "__main__":
    sys.exit(main())
