# backend: torch
# mistake: start-off-by-one
# breaks: position-from-start
# style: modulo, so that it never runs out
import torch


def embed(tokens, table, positions, start=0):
    places = torch.arange(tokens.shape[-1], device=tokens.device) + start + 1
    return table[tokens] + positions[places.clamp(max=len(positions) - 1)]
