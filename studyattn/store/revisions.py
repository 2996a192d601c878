"""The revisions of the database's schema, in `migrations/versions`, oldest first.

They are repeated here so that a start need not read that folder; a test compares the two.
"""

REVISIONS = (
    *("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010"),
    *("0011", "0012", "0013", "0014"),
)
HEAD = REVISIONS[-1]
