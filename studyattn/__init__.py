"""studyattn: learn attention in transformers until you can explain it and write it.

Importing the package costs nothing: every room is imported by the one that needs it, when it
needs it. The version is the only name here.
"""

__version__ = "0.2.1"
