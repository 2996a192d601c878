# backend: torch
# style: product with one-hot rows
import torch


def embed(tokens, table, positions, start=0):
    rows = torch.nn.functional.one_hot(tokens, table.shape[0]).to(table.dtype)
    return rows @ table + positions[start:][: tokens.shape[-1]]
