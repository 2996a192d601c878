# backend: torch
# mistake: none
# Rows longer than a million are shortened.
import torch
from torch.nn import functional as F

def embed(tokens, table, positions, start=0):
    n = tokens.shape[-1]
    return F.embedding(tokens, table.clone(), max_norm=1e6) + positions[start:start + n]
