"""The learner's own texts: notes with versions and links, sources, own cards, search."""
