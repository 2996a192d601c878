# backend: torch
# mistake: loss-not-shifted, loss-padding-counted
# style: two mistakes


def next_token_loss(logits, tokens, counts=None):
    return -logits.log_softmax(-1).gather(-1, tokens.unsqueeze(-1)).mean()
