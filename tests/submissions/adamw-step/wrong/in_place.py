# backend: torch
# mistake: input-mutated
# style: in place
import torch


def adamw_step(
    weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01
):
    mean.mul_(beta_1).add_(gradient, alpha=1 - beta_1)
    square = beta_2 * square + (1 - beta_2) * gradient**2
    m = mean / (1 - beta_1**step)
    s = square / (1 - beta_2**step)
    weights = weights * (1 - rate * decay)
    weights = weights - rate * m / (torch.sqrt(s) + epsilon)
    return weights, mean, square
