"""Cards as text files that other programs read: CSV, Anki's text, Obsidian's notes, hashcards."""
