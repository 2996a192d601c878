# backend: torch
# style: each mean plus its share of the difference
import torch

def adamw_step(weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01):
    mean = mean + (1 - beta_1) * (gradient - mean)
    square = square + (1 - beta_2) * (gradient**2 - square)
    m = mean / (1 - beta_1**step)
    s = square / (1 - beta_2**step)
    return weights * (1 - rate * decay) - rate * m / (s.sqrt() + epsilon), mean, square
