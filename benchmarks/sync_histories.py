"""Histories of one learner at three machines that meet in folders: do they end in one state?

Each machine has a copy of the folder. Between them files are carried late (an earlier state or not
at all), half (cut anywhere), and twice (a second file of another name). At the end all is carried,
every machine syncs, and all three must hold the same; `db check` must find nothing.

    python -m benchmarks.sync_histories --histories 300
    python -m benchmarks.sync_histories --kills 50

With `--kills`, a process that syncs is killed at random moments. Nothing that was answered before
may be gone, the home must be sound, and the next sync must bring both machines to one state.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import permutations
from multiprocessing import get_context
from pathlib import Path

from sqlalchemy import select

from studyattn.errors import InputError
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.sync import sync
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store.database import Database, open_database
from studyattn.store.models import ItemRow, ReviewRow
from studyattn.store.queries.items import CardWording, ItemField, MemoryColumns
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import CardRecord, ConceptRecord, ItemRecord, Snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.notes.notes import (
    About,
    add_note,
    edit_note,
    list_notes,
    put_back,
    remove_note,
    set_about,
)
from studyattn.study.profile import Profile
from studyattn.study.review import batch, item_actions, recorder
from studyattn.study.review.rebuild import check_database, refold

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
MACHINES = 3
STEPS = 30
SETTLING = 4  # rounds: what follows from what was taken in is written in the next one
GUIDS = ("s:1", "s:2", "s:3")
SLUGS = ("masking", "heads", "scaling")


@dataclass
class Outcome:
    """What became of some histories."""

    histories: int = 0
    syncs: int = 0
    late: int = 0
    half: int = 0
    twice: int = 0
    apart: list[int] = field(default_factory=list)
    """The seeds of histories that did not end in one state."""


class Machine:
    """One machine: a home, a clock, and its own copy of the folder."""

    def __init__(self, root: Path, number: int, database: Database) -> None:
        self.folder = root / f"folder-{number}"
        self.folder.mkdir()
        self.clock = FixedClock(START + timedelta(seconds=number), (60, -300, 0)[number])
        self.profile = Profile(database.home, database, self.clock)

    def sync(self) -> bool:
        """Sync with the folder; return whether anything here changed."""
        report = sync(self.profile.database, self.folder, refold)
        self.profile.reload()
        return report.changed

    def state(self) -> object:
        """Return all that has to be the same everywhere."""
        with self.profile.database.read() as connection:
            rows = select(
                ItemRow.guid, *(getattr(ItemRow, name) for name in MemoryColumns._fields)
            ).order_by(ItemRow.guid)
            memory = [tuple(row) for row in connection.execute(rows)]
            return load_snapshot(connection), memory


def beginning() -> Snapshot:
    """Return what one of the machines has first."""
    card = CardRecord("basic", "Why?", "Because.", None, {}, "", None, None)
    return Snapshot(
        concepts=tuple(
            ConceptRecord(slug, slug, "unseen", "", None, None, None, 0, False, False, ())
            for slug in SLUGS
        ),
        items=tuple(
            ItemRecord(
                guid, "card", "masking", None, None, 0, START, False, False, False, None, card
            )
            for guid in GUIDS
        ),
    )


def _note(profile: Profile, chance: random.Random) -> None:
    notes = list_notes(profile)
    text = f"Thought {chance.random()}."
    if not notes or chance.random() < 0.3:
        add_note(profile, text)
        return
    note = chance.choice(notes)
    match chance.randrange(4):
        case 0:
            remove_note(profile, note.id)
        case 1:
            put_back(profile, remove_note(profile, note.id))
        case 2:
            set_about(profile, note.id, About(concept=chance.choice(SLUGS)))
        case _:
            edit_note(profile, note.id, text)


def _wording(profile: Profile, chance: random.Random) -> None:
    guid = chance.choice(GUIDS)
    if chance.random() < 0.3:
        item_actions.restore_text(profile, guid, CardWording("Why?", "Because.", None))
    else:
        item_actions.edit(profile, guid, f"Why {chance.random()}?", "So.")


def _join(profile: Profile, chance: random.Random) -> None:
    one, other = chance.sample(SLUGS, 2)
    if chance.random() < 0.5:
        board.merge(profile, one, other)
    else:
        board.part(profile, one)


ACTIONS: tuple[Callable[[Profile, random.Random], object], ...] = (
    lambda profile, chance: batch.answer(
        profile, chance.choice(GUIDS), chance.choice(list(Rating))
    ),
    lambda profile, chance: batch.answer(profile, chance.choice(GUIDS), Rating.GOOD),
    lambda profile, _: recorder.undo(profile),
    _note,
    _wording,
    _join,
    lambda profile, chance: item_actions.change(
        profile, chance.choice(GUIDS), ItemField.SUSPENDED, chance.random() < 0.5
    ),
    lambda profile, chance: item_actions.change(
        profile, chance.choice(GUIDS), ItemField.MARKED, chance.random() < 0.5
    ),
    lambda profile, chance: item_actions.change(
        profile, chance.choice(GUIDS), ItemField.BURIED, profile.today() + timedelta(days=1)
    ),
    lambda profile, chance: board.set_state(
        profile, chance.choice(SLUGS), chance.choice(("unseen", "known-unknown", "known"))
    ),
    lambda profile, chance: profile.change_setting(
        "desired_retention", chance.choice(("0.8", "0.85", "0.9"))
    ),
)


def carry(machines: list[Machine], chance: random.Random, outcome: Outcome) -> None:
    """Carry each machine's file to the others as a bad file sync does."""
    for source, target in permutations(machines, 2):
        path = source.folder / own_name(source)
        raw = path.read_bytes()
        there = target.folder / path.name
        luck = chance.random()
        if luck < 0.4:
            outcome.late += 1
        elif luck < 0.6:
            there.write_bytes(raw[: chance.randrange(len(raw) + 1)])
            outcome.half += 1
        elif luck < 0.75:
            (target.folder / f"again-{path.name}").write_bytes(raw)
            outcome.twice += 1
        else:
            there.write_bytes(raw)


def own_name(machine: Machine) -> str:
    """Return the name of a machine's own file."""
    from studyattn.store.queries.sync import own_file

    with machine.profile.database.read() as connection:
        own = own_file(connection, str(machine.folder.resolve()))
    return "" if own is None else own.name


def carry_all(machines: list[Machine]) -> None:
    """Carry every machine's own file everywhere."""
    for source in machines:
        name = own_name(source)
        for target in machines:
            if target is not source:
                shutil.copy(source.folder / name, target.folder / name)


def history(root: Path, template: Path, seed: int, outcome: Outcome) -> bool:
    """Play one history; return whether the machines end in one state."""
    chance = random.Random(seed)
    with ExitStack() as stack:
        machines = []
        for number in range(MACHINES):
            home = Home(root / f"home-{number}")
            home.root.mkdir()
            shutil.copy(template, home.database)
            database = stack.enter_context(open_database(home, now=START))
            machines.append(Machine(root, number, database))
        merge_into(machines[0].profile.database, beginning(), refold)
        machines[0].sync()
        carry_all_from(machines[0], machines[1:])
        for machine in machines[1:]:
            machine.sync()
        for _ in range(STEPS):
            machine = chance.choice(machines)
            machine.clock.advance(timedelta(minutes=chance.randrange(1, 5000)))
            with suppress(InputError):
                chance.choice(ACTIONS)(machine.profile, chance)
            if chance.random() < 0.3:
                carry(machines, chance, outcome)
                machine.sync()
                outcome.syncs += 1
        for _ in range(SETTLING):
            for machine in machines:
                machine.sync()
            carry_all(machines)
        changed = [machine.sync() for machine in machines]
        states = [machine.state() for machine in machines]
        sound = not any(check_database(machine.profile.home) for machine in machines)
    outcome.histories += 1
    return sound and not any(changed) and states[0] == states[1] == states[2]


def carry_all_from(source: Machine, targets: list[Machine]) -> None:
    """Carry one machine's own file to others."""
    name = own_name(source)
    for target in targets:
        shutil.copy(source.folder / name, target.folder / name)


def run(histories: int, first: int = 0) -> Outcome:
    """Play histories with the seeds from `first` on."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        template = Home(Path(folder) / "template")
        open_database(template, now=START).close()
        for seed in range(first, first + histories):
            root = Path(folder) / str(seed)
            root.mkdir()
            if not history(root, template.database, seed, outcome):
                outcome.apart.append(seed)
            shutil.rmtree(root)
    return outcome


def run_kills(kills: int, seed: int = 0) -> tuple[int, list[int]]:
    """Kill a process that syncs, `kills` times.

    Return how many of them were still at it, and the numbers of those after which something was
    not as it has to be.
    """
    chance = random.Random(seed)
    hit, usual, wrong = 0, 0.0, []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        machines = []
        for number in range(2):
            home = Home(Path(folder) / f"home-{number}")
            database = stack.enter_context(open_database(home, now=START))
            machines.append(Machine(Path(folder), number, database))
        here, there = machines
        there.folder = here.folder
        for machine in machines:
            merge_into(machine.profile.database, beginning(), refold)
        for number in range(kills):
            for machine in machines:
                machine.clock.advance(timedelta(minutes=10, seconds=number))
                for _ in range(60):
                    batch.answer(machine.profile, chance.choice(GUIDS), Rating.GOOD)
                _note(machine.profile, chance)
            there.sync()
            if number == 0:
                usual = _seconds(here)
            answered = _reviews(here)
            process = get_context("fork").Process(target=_sync_anew, args=(here,))
            process.start()
            time.sleep(chance.random() * usual)
            if process.is_alive() and process.pid is not None:
                os.kill(process.pid, signal.SIGKILL)
                hit += 1
            process.join()
            sound = answered <= _reviews(here) and not check_database(here.profile.home)
            for machine in (here, there, here, there, here):
                machine.sync()
            if not sound or here.state() != there.state() or not answered <= _reviews(there):
                wrong.append(number)
    return hit, wrong


def _seconds(machine: Machine) -> float:
    """Return how long a sync takes in a process of its own."""
    began = time.perf_counter()
    process = get_context("fork").Process(target=_sync_anew, args=(machine,))
    process.start()
    process.join()
    return time.perf_counter() - began


def _sync_anew(machine: Machine) -> None:
    """Sync over connections of the process's own."""
    with open_database(machine.profile.home, now=machine.clock.now()) as database:
        sync(database, machine.folder, refold)


def _reviews(machine: Machine) -> set[str]:
    with machine.profile.database.read() as connection:
        return set(connection.scalars(select(ReviewRow.uuid)))


def main() -> None:
    """Print what became of the histories, or of those who were killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=300)
    parser.add_argument("--kills", type=int, default=0)
    chosen = parser.parse_args()
    began = time.perf_counter()
    if chosen.kills:
        hit, wrong = run_kills(chosen.kills)
        print(
            f"{chosen.kills} syncs, {hit} killed: {len(wrong)} left something wrong {wrong or ''}"
            f" ({time.perf_counter() - began:.0f} s)"
        )
        return
    outcome = run(chosen.histories)
    print(
        f"{outcome.histories} histories of {MACHINES} machines, {outcome.syncs} syncs;"
        f" files late {outcome.late}, half {outcome.half}, twice {outcome.twice} times:"
        f" {len(outcome.apart)} not in one state {outcome.apart or ''}"
        f" ({time.perf_counter() - began:.0f} s)"
    )


if __name__ == "__main__":
    main()
