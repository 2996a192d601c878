# backend: torch
# mistake: positions-missing
# style: left out
def embed(tokens, table, positions, start=0):
    return table[tokens]
