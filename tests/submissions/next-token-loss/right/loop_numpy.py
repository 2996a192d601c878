# backend: numpy
# style: a loop over all predictions
import numpy as np


def next_token_loss(logits, tokens, counts=None):
    losses = []
    for place in np.ndindex(tokens.shape):
        if place[-1] == 0 or (counts is not None and not counts[place]):
            continue
        z = logits[(*place[:-1], place[-1] - 1)]
        z = z - z.max()
        losses.append(np.log(np.exp(z).sum()) - z[tokens[place]])
    return np.mean(np.array(losses))
