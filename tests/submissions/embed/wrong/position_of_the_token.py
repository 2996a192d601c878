# backend: torch
# mistake: position-by-token
# breaks: position-from-start
# style: the same index
def embed(tokens, table, positions, start=0):
    return table[tokens] + positions[tokens.clamp(max=len(positions) - 1)]
