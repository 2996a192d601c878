"""What undo takes back of practice with a drill, after the session that did it. Pure.

An attempt itself is never taken back: what was seen was seen. What can be taken back is what it
changed in the schedule: the rating that ended its series, and the cards that its mistake brought
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studyattn.memory.log import LoggedReview

if TYPE_CHECKING:
    from studyattn.store.queries.practice import CardBatch


def change_to_undo(
    effective: Sequence[LoggedReview], batch: CardBatch | None
) -> LoggedReview | CardBatch | None:
    """Return the later of the drill's last own rating and its last batch of cards; None for none.

    `effective` are the drill's reviews in effect, oldest first. Imported and merged ones are passed
    over: they are history, not something the learner just did.
    """
    own = [each for each in effective if each.origin == "learner" and each.rating is not None]
    if own and (batch is None or (batch.at, batch.uuid) < (own[-1].at, own[-1].uuid)):
        return own[-1]
    return batch
