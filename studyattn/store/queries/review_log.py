"""Which rows of the review log are in effect, in SQL: the rule of `memory.log.standing`.

Every statement that counts reviews takes its condition from here, so that figures, the queue and
undo agree with the memory states, which are folded in Python.
"""

from __future__ import annotations


def in_effect(review: str = "review") -> str:
    """Return the SQL condition that a row of `review`, a table or its alias, is a rating in effect.

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
