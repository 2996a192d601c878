# backend: torch
# mistake: forbidden-call
# breaks: ready-made-loss
import torch
import torch.nn.functional as F


def next_token_loss(logits, tokens, counts=None):
    scores = torch.log_softmax(logits[..., :-1, :], dim=-1)
    targets = F.one_hot(tokens[..., 1:], logits.shape[-1]).to(logits.dtype)
    each = F.kl_div(scores, targets, reduction="none").sum(dim=-1)
    return each.mean() if counts is None else each[counts[..., 1:]].mean()
