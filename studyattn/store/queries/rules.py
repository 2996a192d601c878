"""Rules that several statements need, as SQL conditions: each is written here once.

Which items are active, which may be asked on a day, which cards are back for a mistake in code,
which ratings of the log are in effect, and which rows of it are about an item. Nothing here loads
SQLAlchemy.
"""

from __future__ import annotations


def active(item: str = "item") -> str:
    """Return the SQL condition that a row of `item`, a table or its alias, is in use at all.

    A suspended item was taken out by the learner, a retired one is gone from its pack or source.
    """
    return f"(NOT {item}.suspended AND NOT {item}.retired)"


def may_be_asked(item: str = "item", today: str = ":today") -> str:
    """Return the SQL condition that an item may be asked on a learner day: active and not buried.

    `today` is how the statement names the day.
    """
    unburied = f"({item}.buried_until IS NULL OR {item}.buried_until <= {today})"
    return f"{active(item)} AND {unburied}"


STILL_BACK = (
    "(brought_back.taken_back_at IS NULL"
    " AND (item.last_review IS NULL OR item.last_review < brought_back.at))"
)
"""SQL condition on `brought_back` and its `item`: the card is back and was not answered since."""

WHY_BACK = (
    "(SELECT brought_back.reason FROM brought_back"  # noqa: S608 - a constant
    f" WHERE brought_back.item_guid = item.guid AND {STILL_BACK}"
    " ORDER BY brought_back.id LIMIT 1)"
)
"""SQL expression on `item`: the sentence that says why its card is back; NULL when it is not."""

CONCEPT_OF_ITEM = (
    "JOIN concept AS own ON own.id = item.concept_id"
    " JOIN concept ON concept.id = coalesce(own.joined_into_id, own.id)"
)
"""SQL join of `item` with its concept; one that was joined into another goes by that one's name."""


WHOLE = "coalesce(concept.joined_into_id, concept.id)"
"""SQL expression on `concept`: the number of the concept that it counts as."""

PATH = "concept.pack IS NULL, concept.position, concept.pack, concept.id"
"""SQL order of concepts: along their path, those of the packs first."""


def counts_as(concepts: str) -> str:
    """Return the SQL condition that a row of `concept` is one of a list, or joined into one of it.

    `concepts` is how the list is given. One of it that is itself joined counts as another concept.
    An index answers it, unlike a condition on `coalesce(joined_into_id, id)`.
    """
    given = f"@numbers({concepts})"
    return (
        f"(concept.joined_into_id IN {given}"
        f" OR (concept.id IN {given} AND concept.joined_into_id IS NULL))"
    )


def guid_end(guid: str) -> str:
    """Return the SQL expression by which the log's rows are indexed: the end of an item's guid."""
    return f"substr({guid}, -8)"


def of_item(review: str, guid: str) -> str:
    """Return the SQL condition that a row of `review`, a table or its alias, is about an item.

    `guid` is how the statement names the item's guid. Ends of guids alone are indexed, because
    whole ones would be a fifth of the log. On PostgreSQL, whose `substr` begins with the first
    letter then, it is whole guids.
    """
    return (
        f"({guid_end(f'{review}.item_guid')} = {guid_end(guid)} AND {same_guid(review)} = {guid})"
    )


def of_items(guids: str) -> str:
    """Return the SQL condition that a row of `review` is about one of a list of items."""
    ends = f"(SELECT {guid_end('value')} FROM @texts({guids}) AS given)"  # noqa: S608 - a name
    return (
        f"({guid_end('review.item_guid')} IN {ends} AND {same_guid('review')} IN @texts({guids}))"
    )


def same_guid(review: str) -> str:
    """Return the guid of a row of `review` for a comparison beside that of its end.

    A column that equals one value is replaced by it within other expressions, by SQLite, and then
    the end is no longer what is indexed. So it is an expression itself.
    """
    return f"{review}.item_guid || ''"


def in_effect(review: str = "review") -> str:
    """Return the SQL condition that a row of `review`, a table or its alias, is a rating in effect.

    It is the rule of `memory.log.effective_reviews`. Every statement that counts reviews takes its
    condition from here, so that figures, the queue and undo agree with the memory states, which are
    folded in Python.

    A rating is cancelled by a withdrawal of the same item that is itself not cancelled. Hardly any
    rating is withdrawn, so a look into the index of withdrawals is nearly always all that is done.
    The withdrawals above a withdrawn rating form a tree, because each row withdraws one other. It
    is judged from its leaves: one row at a time, each after all rows that withdraw it. Rows that
    withdraw each other in a circle reach no rating; a database may look at them all the same, so
    the way up ends where it comes back to its beginning.
    """
    return f"""
{review}.rating IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM review AS undo
    WHERE undo.withdraws = {review}.uuid AND undo.item_guid = {review}.item_guid AND NOT EXISTS (
        WITH RECURSIVE
        tree(id, uuid, target, depth) AS (
            SELECT child.id, child.uuid, undo.id, 1 FROM review AS child
            WHERE child.withdraws = undo.uuid AND child.item_guid = undo.item_guid
              AND child.id <> undo.id
            UNION ALL
            SELECT child.id, child.uuid, tree.id, tree.depth + 1
            FROM tree JOIN review AS child ON child.withdraws = tree.uuid
            WHERE child.item_guid = undo.item_guid AND child.id <> undo.id),
        ordered(place, id, target) AS (
            SELECT row_number() OVER (ORDER BY depth DESC, id), id, target FROM tree),
        judged(place, cancelled) AS (
            SELECT 0, ''
            UNION ALL
            SELECT judged.place + 1,
                   CASE WHEN replace(judged.cancelled, ',' || ordered.id || ',', '')
                             = judged.cancelled
                        THEN judged.cancelled || ',' || ordered.target || ','
                        ELSE judged.cancelled END
            FROM judged JOIN ordered ON ordered.place = judged.place + 1)
        SELECT 1 FROM judged
        WHERE replace(judged.cancelled, ',' || undo.id || ',', '') <> judged.cancelled))"""  # noqa: S608 - an alias from our own code
