# backend: numpy
# mistake: token-off-by-one, positions-missing
# style: two mistakes
def embed(tokens, table, positions, start=0):
    return table[tokens - 1]
