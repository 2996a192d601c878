# backend: torch
import torch


def walk(transitions, characters, state):
    if state < 0 or len(characters) == 0 or characters[0] < 0:
        return state
    return walk(transitions, characters[1:], int(transitions[state, characters[0]]))


def token_mask(transitions, tokens, state):
    return torch.stack([torch.tensor(walk(transitions, row, state) >= 0) for row in tokens])


def next_state(transitions, tokens, state, token):
    return walk(transitions, tokens[token], state)
