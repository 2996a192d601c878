"""Anki packages (.apkg), out and in.

    markup      Markdown → the HTML of Anki's fields
    history     one item's reviews, as Anki keeps them
    writer      Snapshot → a package, written by genanki
    package     the inside of a package that someone gave us
    media       its pictures and sounds
    collection  its tables
    templates   its note types
    fields      the HTML of Anki's fields → Markdown
    clozes      Anki's clozes → our gaps
    revlog      Anki's review log of a card → where its memory begins
    faces       a note's fields → the texts of its cards, and back
    reader      a package → Snapshot
    known       what of it is new here
    peer        what came from Anki → as it goes back
    into        what is new here → the collection of a closed Anki
    not_taken   what an import leaves in the package

Only `writer` needs genanki, and only `package` and `media` need zstandard.
"""
