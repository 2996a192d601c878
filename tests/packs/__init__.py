"""Tests of packs: their files, the database, and the check."""
