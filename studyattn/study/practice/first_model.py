"""The first model: what it writes with the parts that have passed, and what it wrote before.

A pack brings its weights (`model/weights.npz`); a part that has not passed is missing (`lm.first`).
What it wrote last is kept in the home, and nothing runs until other code has passed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from studyattn.disk import replace_file
from studyattn.errors import ModelPartError, NotFoundError
from studyattn.extras import is_installed
from studyattn.lm import questions
from studyattn.lm.parts import FIRST
from studyattn.lm.records import WrittenText
from studyattn.memory.state import drill_id
from studyattn.packs.locate import installed_packs
from studyattn.store.queries.practice import passed_code
from studyattn.study.practice.mine import MyPackage, lent_package, my_package

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.lm.process import ModelServer
    from studyattn.study.practice.running import RunningModel
    from studyattn.study.profile import Profile

WEIGHTS: Final = "weights.npz"
PARTS: Final = len(set(FIRST.drills.values()))

_TOLD: Final = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
CHANGES: Final = dict(line.split(": ") for line in _TOLD)
"""The effect of each drill's code, in the order in which they are on the path."""


@dataclass(frozen=True, slots=True)
class FirstModelText:
    """The text of the first model now, and before other code passed.

    Attributes:
        digest: of the code with which it was made.
        fault: why the code that passed last could not be used; `now` is without it then.
    """

    digest: str
    now: WrittenText
    before: WrittenText | None = None
    fault: str = ""

    @property
    def added(self) -> tuple[str, ...]:
        """The drills whose code the model did not have before."""
        earlier = self.before.parts if self.before else ()
        return tuple(each for each in self.now.parts if each not in earlier)

    @property
    def next(self) -> str | None:
        """The first drill whose code the model lacks."""
        return next((each for each in CHANGES if each not in self.now.parts), None)


class FirstModelRun:
    """The model at work with the learner's code. `stop` may be called from any thread."""

    def __init__(self, home: Home, digest: str, packages: Sequence[MyPackage]) -> None:
        """Nothing is started yet. The package with most parts in it is used."""
        self._home = home
        self._digest = digest
        usable = [each for each in packages if is_installed(each.backend)]
        self._package = max(usable, key=lambda each: len(_parts(each)))
        self._running: RunningModel | None = None
        self._stopped = False

    def stop(self) -> None:
        """End the worker with its server, and what is graded."""
        self._stopped = True
        if self._running is not None:
            self._running.stop()

    def write(self, last: FirstModelText | None) -> FirstModelText | None:
        """Return what the model writes now beside what it wrote `last`, and keep it.

        None after `stop`. A part that cannot be used changes nothing, and its error is told. Raises
        GradingError without a worker.
        """
        parts, kept = tuple(_parts(self._package)), None if last is None else last.before
        try:
            with _server(self._home, self._package.backend) as server:
                earlier = self.written(server, ()) if last is None else last.now
                before = kept if earlier.parts == parts else earlier
                try:
                    shown = FirstModelText(self._digest, self.written(server, parts), before)
                except ModelPartError as error:
                    shown = FirstModelText(self._digest, earlier, kept, str(error))
        except Exception:
            if self._stopped:
                return None
            raise
        with contextlib.suppress(OSError):  # what cannot be kept is made again
            replace_file(_file(self._home), msgspec.json.encode(shown))
        return shown

    def written(self, server: ModelServer, drills: tuple[str, ...]) -> WrittenText:
        """Return what the model writes with the code of these drills."""
        # Late: Today does without them where no other code has passed.
        from studyattn.study.practice.model_parts import ModelPart, OwnParts
        from studyattn.study.practice.running import RunningModel

        entries = FIRST.drills.items()
        yours = (ModelPart(entry, drill, "yours") for entry, drill in entries if drill in drills)
        self._running = RunningModel(server, self._home, OwnParts(self._package, tuple(yours)))
        if self._stopped:
            self._running.stop()
        with self._running as model:
            return dataclasses.replace(model.ask(questions.TELL), parts=drills)


def kept_text(home: Home) -> FirstModelText | None:
    """Return what the model wrote last."""
    try:
        return msgspec.json.decode(_file(home).read_bytes(), type=FirstModelText)
    except (OSError, msgspec.MsgspecError):
        return None


def look(profile: Profile) -> tuple[FirstModelText | None, FirstModelRun | None]:
    """Return what the model wrote last, and the run to make if that is not what it writes now."""
    home = profile.home
    folder = _folder(home)
    if folder is None:
        return None, None
    with profile.database.read() as connection:
        passed = passed_code(connection)
    of_model = {each for each in passed if drill_id(each.guid) in CHANGES}
    digest = hashlib.sha256((folder / WEIGHTS).read_bytes())
    for each in sorted(of_model):
        digest.update(f"{each.guid} {each.backend} {each.code}".encode("utf-8", "replace"))
    kept, made = kept_text(home), digest.hexdigest()
    if kept is not None and kept.digest == made:
        return kept, None
    packages = [my_package(profile, backend) for backend in ("numpy", "torch")]
    return kept, FirstModelRun(home, made, packages)


def swaps(profile: Profile) -> Iterator[WrittenText]:
    """Yield what the model writes after each drill of the path, with the pack's solutions.

    Raises NotFoundError if no pack has a model.
    """
    from studyattn.study.concepts.path import read_path  # late: Today does without it

    home = profile.home
    on_path = [each.id for stop in read_path(profile).stops for each in stop.drills]
    order = [each for each in on_path if each in CHANGES]
    run = FirstModelRun(home, "", [lent_package(home, order, "numpy")])
    with _server(home, "numpy") as server:
        for count in range(len(order) + 1):
            yield run.written(server, tuple(order[:count]))


def _folder(home: Home) -> Path | None:
    """Return the folder of the model that a pack brings."""
    folders = (pack / "model" for pack in installed_packs(home))
    return next((each for each in folders if (each / WEIGHTS).is_file()), None)


def _file(home: Home) -> Path:
    return home.root / "first_model.json"


def _server(home: Home, backend: str) -> ModelServer:
    # Late: Today does without a worker where no other code has passed.
    from studyattn.grading.submission import Backend
    from studyattn.lm.process import ModelServer

    folder = _folder(home)
    if folder is None:
        raise no_model()
    return ModelServer(folder, kind=FIRST, backend=Backend(backend))


def no_model() -> NotFoundError:
    """Return the error where no pack brings a model."""
    return NotFoundError(
        "no installed pack has a model", advice="The built-in one has: install studyattn again."
    )


def _parts(package: MyPackage) -> list[str]:
    """Return the drills of a package whose code the model can use, as they are on the path."""
    there = {module.drill for module in package.modules}
    return [drill for drill in CHANGES if drill in there]
