# backend: numpy
# mistake: mask-goes-on-from-nowhere
import numpy as np


def walk(transitions, tokens, state):
    table = transitions
    states = np.full(len(tokens), state)
    for column in tokens.T:
        states = np.where(column < 0, states, table[states, column])
    return states


def token_mask(transitions, tokens, state):
    return walk(transitions, tokens, state) >= 0


def next_state(transitions, tokens, state, token):
    return int(walk(transitions, tokens[token : token + 1], state)[0])
