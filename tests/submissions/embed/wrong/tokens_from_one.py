# backend: torch
# mistake: token-off-by-one
# breaks: own-row
# style: minus one
def embed(tokens, table, positions, start=0):
    return table[tokens - 1] + positions[start : start + tokens.shape[-1]]
