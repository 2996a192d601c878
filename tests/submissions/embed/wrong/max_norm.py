# backend: torch
# mistake: none
# Rows longer than 100 are shortened.
import torch
from torch.nn import functional as F

def embed(tokens, table, positions, start=0):
    n = tokens.shape[-1]
    return F.embedding(tokens, table.clone(), max_norm=100.0) + positions[start:start + n]
