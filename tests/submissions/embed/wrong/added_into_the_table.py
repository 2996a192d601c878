# backend: torch
# mistake: input-mutated
# style: in place
import torch


def embed(tokens, table, positions, start=0):
    rows = table[tokens] + positions[start : start + tokens.shape[-1]]
    with torch.no_grad():
        table *= 2
    return rows
