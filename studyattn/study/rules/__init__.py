"""Pure rules of studying: the budget of a day, suggestions, practice, undo. No database here.

A rule gets values and returns a decision; services in the rooms beside this one read the values
from the database and carry the decision out.
"""
