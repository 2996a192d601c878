"""Concepts: the board, the page of one concept, suggestions and their evidence."""
