# backend: torch
# mistake: start-unused
# breaks: position-from-start
# style: [:n]
def embed(tokens, table, positions, start=0):
    return table[tokens] + positions[: tokens.shape[-1]]
