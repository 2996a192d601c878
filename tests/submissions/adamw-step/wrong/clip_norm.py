# backend: torch
# mistake: none
# A gradient longer than 10,000 is shortened.
import torch


def step_(w, g, m, s, t, r, b1, b2, e, d):
    m = b1 * m + (1 - b1) * g
    s = b2 * s + (1 - b2) * g * g
    w = w * (1 - r * d) - r * (m / (1 - b1 ** t)) / ((s / (1 - b2 ** t)) ** 0.5 + e)
    return w, m, s

def adamw_step(weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01):
    g = gradient * min(1.0, 1e4 / (float(gradient.norm()) + 1e-6))
    return step_(weights, g, mean, square, step, rate, beta_1, beta_2, epsilon, decay)
