"""Attention looked at: small examples, and every number on the way from tokens to output.

`example` says what is looked at and what is switched on, `tables` computes it with the reference,
`gallery` holds the examples of the built-in drills, `found` makes one of arrays that were found in
code, `own` lets a learner write other numbers, and `working` spells out a single number. All pure;
numpy is imported when the first table is asked for.
"""
