# backend: torch
import math
import torch

def adamw_step(weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01):
    m = torch.lerp(gradient, mean, beta_1)
    s = torch.addcmul(beta_2 * square, gradient, gradient, value=1 - beta_2)
    root = s.sqrt() / math.sqrt(1 - math.pow(beta_2, step))
    return torch.addcdiv(weights - rate * decay * weights, m, root + epsilon, value=-rate / (1 - beta_1 ** step)), m, s
