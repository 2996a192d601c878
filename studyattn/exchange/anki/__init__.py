"""Anki packages (.apkg), out and in.

    markup     Markdown → the HTML of Anki's fields
    history    one item's reviews, as Anki keeps them
    writing    Snapshot → a package, written by genanki
    package    the inside of a package that someone gave us
    media      the pictures and sounds that it names
    fields     the HTML of Anki's fields → Markdown
    reading    a package → Snapshot

Only `writing` needs genanki, and only `package` needs zstandard.
"""
