# backend: torch
# mistake: none
# Tokens in one byte.
import torch

def embed(tokens, table, positions, start=0):
    n = tokens.shape[-1]
    return table[tokens.to(torch.uint8).long()] + positions[start:start + n]
