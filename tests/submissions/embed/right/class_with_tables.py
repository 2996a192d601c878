# backend: torch
# style: class
class Embedding:
    def __init__(self, table, positions):
        self.table, self.positions = table, positions

    def __call__(self, tokens, start):
        n = tokens.shape[-1]
        return self.table[tokens] + self.positions[start : start + n]


def embed(tokens, table, positions, start=0):
    return Embedding(table, positions)(tokens, start)
