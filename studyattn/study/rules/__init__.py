"""Pure rules of studying: the budget of a day, which rating an attempt speaks for. No database
here.
"""
