"""A learner's home while it is open: the database, the settings in force, the scheduler, the clock.

`open_profile` is where the program comes together: everything else in this room takes a Profile. It
loads SQLAlchemy and looks after the home: checks, backups, packs. `glance` does none of this: it
reads what an app shows first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING

from studyattn.errors import (
    DamagedDatabaseError,
    FullDiskError,
    SettingError,
    StoreError,
    StudyattnError,
)
from studyattn.home import Home
from studyattn.memory import day_start, learner_day
from studyattn.store.queries.days import is_kept_to, keep_days
from studyattn.store.quick import open_quickly
from studyattn.study.clock import Clock, Moment, SystemClock, moment
from studyattn.study.config_file import ConfigFile, read_config
from studyattn.study.rules.days_ahead import count_by_day
from studyattn.study.settings import Settings, find_setting, read_settings, write_setting

if TYPE_CHECKING:
    from studyattn.store.database import Connection, Database
    from studyattn.store.sql import Connection as Readable


class ReadOnlyProfile:
    """A profile that reads one moment of a home, without SQLAlchemy."""

    def __init__(self, home: Home, connection: Readable, clock: Clock) -> None:
        self.home = home
        self.clock = clock
        self.settings: Settings = read_settings(connection)
        self._connection = connection

    def read(self) -> AbstractContextManager[Readable]:
        """A connection that sees one unchanging moment of the database."""
        return nullcontext(self._connection)

    def moment(self, at: datetime | None = None) -> Moment:
        """Return `at`, or now, with the learner's offset then."""
        return moment(self.clock, at)

    def day_of(self, at: Moment) -> date:
        """Return the learner day of a moment."""
        return learner_day(at.at, at.utc_offset, self.settings.scheduling.rollover_hour)

    def day_start(self, day: date, at: Moment) -> datetime:
        """Return the instant at which a learner day begins by the clock of a moment."""
        return day_start(day, at.utc_offset, self.settings.scheduling.rollover_hour)

    def count_by_day(
        self, dues: Iterable[tuple[datetime, int]], at: Moment, days: int
    ) -> list[int]:
        """Return how many items come due on each of so many days from a moment on."""
        rollover = self.settings.scheduling.rollover_hour
        day_of = partial(learner_day, utc_offset=at.utc_offset, rollover_hour=rollover)
        return count_by_day(dues, self.day_of(at), days, day_of)

    def today(self) -> date:
        """Return the learner day it is now."""
        return self.day_of(self.moment())


class Profile(ReadOnlyProfile):
    """One open home. Use it in one thread; several processes may share the home."""

    def __init__(
        self,
        home: Home,
        database: Database,
        clock: Clock,
        problems: tuple[StudyattnError, ...] = (),
    ) -> None:
        self.config = ConfigFile()
        self.home = home
        self.database = database
        self.clock = clock
        self.problems = problems  # failures on opening that stop nothing else: of a pack, a backup
        self.reload()

    def reload(self) -> None:
        """Read the settings again, which another process may have changed."""
        with self.database.read() as connection:
            self.settings = read_settings(connection)
        from studyattn.memory import Scheduler  # late: `glance` does without it

        self.scheduler = Scheduler(self.settings.scheduling)
        self.follow(self.config)

    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees one unchanging moment of the database."""
        return self.database.read()

    def change_setting(self, key: str, text: str) -> Settings:
        """Set `key` to the value of `text`, and recompute the items if it affects scheduling.

        Raises NotFoundError for an unknown key and SettingError for a value that is not accepted,
        and for a setting that the learner's file of settings sets.
        """
        setting = find_setting(key)
        place = self.config.place(setting.key)
        if place is not None:
            raise SettingError(
                f"{setting.key} is set in a file", where=place, advice="Change it there."
            )
        if setting.key == "packs":
            from studyattn.packs.locate import check_order

            check_order(text, self.home)
        if setting.key == "goal":
            from studyattn.packs.locate import check_goal

            check_goal(text.strip(), self.home)
        return self._change({setting.key: text})

    def follow(self, config: ConfigFile) -> None:
        """Change what the file sets otherwise than the home; from then on only the file does."""
        self.config = config
        differing = {
            key: text
            for key, text in config.texts.items()
            if find_setting(key).read(text) != self.settings.value(find_setting(key))
        }
        if differing:
            self._change(differing)

    def _change(self, texts: Mapping[str, str]) -> Settings:
        changed = self.settings
        for key, text in texts.items():
            changed = changed.with_text(key, text)
        settings = [find_setting(key) for key in texts]
        # Late: they load the model's library and SQLAlchemy.
        from studyattn.memory import Scheduler
        from studyattn.study.review.recompute import recompute

        scheduler = Scheduler(changed.scheduling)
        with self.database.write() as connection:
            for setting in settings:
                write_setting(connection, changed, setting, self.clock.now())
            if any(setting.reschedules for setting in settings):
                recompute(connection, scheduler)
        chosen = changed.packs, changed.goal
        if chosen != (self.settings.packs, self.settings.goal):
            from studyattn.packs.installed import sync_installed

            sync_installed(self.database, self.clock.now(), *chosen)
        self.settings = changed
        self.scheduler = scheduler
        return changed


@contextmanager
def open_profile(home: Home, clock: Clock | None = None) -> Iterator[Profile]:
    """Open a learner's home: create or migrate its database, back it up daily, sync the packs.

    Raises StoreError and its subclasses. A pack that cannot be read, a backup that cannot be made,
    and a home that cannot be written are listed in `problems` instead.
    """
    from studyattn.packs.installed import sync_installed
    from studyattn.store.backup import make_if_due
    from studyattn.store.database import open_database

    clock = clock or SystemClock()
    with open_database(home, now=clock.now()) as database:
        problems: tuple[StudyattnError, ...] = ()
        if database.hindrance is not None:  # nothing can be written: no backup, no new cards
            yield Profile(home, database, clock, (database.hindrance,))
            return
        if home.server is None:
            try:
                make_if_due(home, now=clock.now())
            except DamagedDatabaseError:  # in a value, which only the backup's check reads
                raise
            except StoreError as error:
                problems = (error,)
        try:
            with database.read() as connection:
                settings = read_settings(connection)
            synced = sync_installed(database, clock.now(), settings.packs, settings.goal)
            problems += synced.problems
            config = read_config(home.config)
            profile = Profile(home, database, clock, problems + config.problems)
            profile.follow(config)
            _keep_totals(profile)
        except FullDiskError as error:
            profile = Profile(home, database, clock, (*problems, error))
        yield profile


def _keep_totals(profile: Profile) -> None:
    """Bring the log's totals up to date, once on a day with answers."""
    with profile.database.read() as connection:
        if is_kept_to(connection, profile.today()):
            return
    from studyattn.study.review.pace import SECONDS  # late: once a day

    with profile.database.write() as connection:
        keep_days(connection, SECONDS)


@contextmanager
def glance(home: Home, clock: Clock) -> Iterator[ReadOnlyProfile | None]:
    """Open a home for what an app shows first, and look after nothing; None if that cannot be.

    Nobody has looked whether the file is sound: what is raised while reading may be damage.
    """
    with open_quickly(home) as connection:
        yield None if connection is None else ReadOnlyProfile(home, connection, clock)
