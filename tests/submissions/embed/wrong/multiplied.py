# backend: numpy
# mistake: positions-multiplied
# style: product
def embed(tokens, table, positions, start=0):
    return table[tokens] * positions[start : start + tokens.shape[-1]]
