"""The work of a learner: review, practise, mark concepts known, look back.

Every rule of the program that is not scheduling arithmetic lives here; `cli` and `tui` parse,
call one function of this room, and show. Importing this package imports nothing: each module is
imported by the one that needs it.
"""
