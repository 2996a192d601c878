"""Name AnkiConnect's default address and the deck of our packages; quick to import, for help."""

from __future__ import annotations

from typing import Final

ADDRESS: Final = "http://127.0.0.1:8765"
"""The default address of AnkiConnect."""
DECK: Final = "studyattn"
"""The deck that our packages have."""
