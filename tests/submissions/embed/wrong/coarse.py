# backend: torch
# mistake: precision-lost
# style: in bfloat16
def embed(tokens, table, positions, start=0):
    rows = table.bfloat16()[tokens] + positions.bfloat16()[start : start + tokens.shape[-1]]
    return rows.to(table.dtype)
