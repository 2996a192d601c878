# backend: torch
import torch

def embed(tokens, table, positions, start=0):
    n = tokens.shape[-1]
    return table.index_select(0, tokens.reshape(-1)).reshape(*tokens.shape, -1) + positions.narrow(0, start, n)
