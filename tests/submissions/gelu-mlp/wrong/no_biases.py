# backend: torch
# mistake: mlp-first-bias-missing, mlp-second-bias-missing
# breaks: both-biases
# style: as in Llama
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return gelu(x @ w_1, approximate="tanh") @ w_2
