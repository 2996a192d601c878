# backend: torch
# mistake: not-differentiable
# style: detach
def embed(tokens, table, positions, start=0):
    return table.detach()[tokens] + positions.detach()[start : start + tokens.shape[-1]]
