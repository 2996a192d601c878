# backend: torch
# mistake: one-position-for-all
# breaks: position-from-start
# style: a single row
def embed(tokens, table, positions, start=0):
    return table[tokens] + positions[start]
