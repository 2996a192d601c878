# backend: torch
# mistake: none
# Tokens in two bytes.
import torch

def embed(tokens, table, positions, start=0):
    n = tokens.shape[-1]
    return table[tokens.to(torch.int16).long()] + positions[start:start + n]
