"""What statements are asked of (`sql`)."""

from studyattn.store.sql import Connection as Readable
from studyattn.store.sql import driver_of

__all__ = ["Readable", "driver_of"]
