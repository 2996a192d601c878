"""The learning note: what a learner knows, knows not to know, and has written down, to be read.

    content    what of a snapshot it shows, in which order
    marks      the comments that let a document of it be read back, and texts that survive the trip
    writing    one Markdown document
    reading    that document → Snapshot
    obsidian   a folder of linked documents
    keeping    the note of a database, in a file

The same data gives the same bytes: "when" is the date of the last change in what is shown.
"""
