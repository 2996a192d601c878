# backend: torch
# mistake: min-p-largest-of-all
import torch


def min_p(logits, p):
    shares = torch.softmax(logits.double(), -1)
    keep = shares >= p * shares.max()
    kept = torch.where(keep, logits, torch.full_like(logits, -torch.inf))
    return torch.softmax(kept, -1)


def repetition_penalty(logits, tokens, penalty):
    out = logits.clone()
    for token in set(tokens.tolist()):
        out[token] = out[token] / penalty if out[token] > 0 else out[token] * penalty
    return out
