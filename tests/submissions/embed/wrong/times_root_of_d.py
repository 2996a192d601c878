# backend: torch
# mistake: embedding-scaled
# breaks: unscaled
# style: as the first transformer
def embed(tokens, table, positions, start=0):
    return table[tokens] * table.shape[-1] ** 0.5 + positions[start : start + tokens.shape[-1]]
