# backend: numpy
# mistake: positions-from-the-end
# breaks: position-from-start
# style: negative index
def embed(tokens, table, positions, start=0):
    return table[tokens] + positions[-tokens.shape[-1] :]
