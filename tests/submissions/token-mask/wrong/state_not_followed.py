# backend: torch
# mistake: mask-state-not-followed
# breaks: state-changes
import torch
from torch import Tensor


def follow(transitions: list[list[int]], characters: list[int], state: int) -> int:
    """Return the state after these characters, -1 if one of them is not allowed."""
    for character in characters:
        if character < 0:  # the token has ended
            break
        after = transitions[state][character]
        if after < 0:
            return -1
    return after


def token_mask(transitions: Tensor, tokens: Tensor, state: int) -> Tensor:
    """Return which tokens are allowed in a state: booleans (v,)."""
    table = transitions.tolist()
    allowed = [follow(table, each, state) >= 0 for each in tokens.tolist()]
    return torch.tensor(allowed, device=tokens.device)


def next_state(transitions: Tensor, tokens: Tensor, state: int, token: int) -> int:
    """Return the state after a token, -1 if it is not allowed."""
    return follow(transitions.tolist(), tokens[token].tolist(), state)
