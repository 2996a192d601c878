# backend: torch
# mistake: embedding-scaled, start-unused
# style: two mistakes
def embed(tokens, table, positions, start=0):
    return table[tokens] * table.shape[-1] ** 0.5 + positions[: tokens.shape[-1]]
