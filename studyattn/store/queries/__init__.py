"""Every SQL statement of the program, a module for each subject; each function returns typed
rows.
"""
