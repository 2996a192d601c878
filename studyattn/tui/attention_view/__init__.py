"""Attention looked at: small examples, and every number on the way from tokens to output.

`example` says what is looked at and what is switched on, spells out a single number, and has those
of the built-in drills; `tables` computes them with the reference, and `own_example` makes
one of a learner's numbers or of arrays in code. All pure; numpy is imported when the first table is
asked for.
"""
