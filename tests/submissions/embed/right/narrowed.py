# backend: torch
# style: index_select and narrow
def embed(tokens, table, positions, start=0):
    rows = table.index_select(0, tokens.reshape(-1)).reshape(*tokens.shape, -1)
    return rows.add(positions.narrow(0, start, tokens.size(-1)))
