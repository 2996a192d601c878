"""Name AnkiConnect's default address, its key and the deck of our packages; quick to import."""

from __future__ import annotations

from typing import Final

ADDRESS: Final = "http://127.0.0.1:8765"
"""The default address of AnkiConnect."""
KEY: Final = "STUDYATTN_ANKI_KEY"
"""The variable of the environment with AnkiConnect's API key."""
DECK: Final = "studyattn"
"""The deck that our packages have."""
