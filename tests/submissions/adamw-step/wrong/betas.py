# backend: torch
# mistake: means-swapped
# style: beta_2 first
import torch


def adamw_step(
    weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01
):
    mean = beta_2 * mean + (1 - beta_2) * gradient
    square = beta_1 * square + (1 - beta_1) * gradient**2
    m = mean / (1 - beta_2**step)
    s = square / (1 - beta_1**step)
    weights = weights * (1 - rate * decay)
    weights = weights - rate * m / (torch.sqrt(s) + epsilon)
    return weights, mean, square
