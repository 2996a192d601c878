"""Merging two databases of one learner: load snapshots, merge them, write the difference."""
