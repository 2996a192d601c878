"""The forgetting model and the calendar: pure functions of a review log. Time is an argument.

    state       ratings, phases, and what is remembered of an item
    days        the learner day: when it turns, how many lie between two reviews
    settings    what a learner can choose about scheduling
    scheduler   what each rating makes of an item
    intervals   rounding, fuzz and order of the days on the buttons
    balance     the day with the least to do among those that fuzz allows
    log         the review log: the reviews in effect after withdrawals, and the fold over it
    order       the order of the day's queue
    fit         forecasts of recall, the learner's own parameters, and whether they are better

It knows no database, no clock and no files.
"""

from studyattn.lazy import lazy_names

TYPE_CHECKING = False  # as type checkers know it, without importing typing
__all__ = [
    "DEFAULT_PARAMETERS",
    "LoggedReview",
    "MemoryStart",
    "MemoryState",
    "New",
    "Phase",
    "Rating",
    "Remembered",
    "Scheduler",
    "SchedulingSettings",
    "day_start",
    "effective_reviews",
    "elapsed_days",
    "fold",
    "fold_all",
    "learner_day",
]

if TYPE_CHECKING:
    from studyattn.memory.days import day_start, elapsed_days, learner_day
    from studyattn.memory.log import LoggedReview, effective_reviews
    from studyattn.memory.scheduler import Scheduler, fold, fold_all
    from studyattn.memory.settings import DEFAULT_PARAMETERS, SchedulingSettings
    from studyattn.memory.state import MemoryStart, MemoryState, New, Phase, Rating, Remembered
else:  # Today's first numbers need the calendar and the phases, and no scheduler
    _PLACES = {
        "days": ("day_start", "elapsed_days", "learner_day"),
        "log": ("LoggedReview", "effective_reviews"),
        "scheduler": ("Scheduler", "fold", "fold_all"),
        "settings": ("DEFAULT_PARAMETERS", "SchedulingSettings"),
        "state": ("MemoryStart", "MemoryState", "New", "Phase", "Rating", "Remembered"),
    }
    __getattr__ = lazy_names(
        __name__, {name: module for module, names in _PLACES.items() for name in names}
    )
