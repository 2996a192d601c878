# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: distributions
from torch.distributions import Categorical


def softmax(x):
    return Categorical(logits=x).probs
