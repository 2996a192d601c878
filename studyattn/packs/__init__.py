"""Packs of content: their files, what these say, and how they reach the learner's database."""
