# backend: torch
def adamw_step(
    weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01
):
    mean = beta_1 * mean + (1 - beta_1) * gradient
    square = beta_2 * square + (1 - beta_2) * gradient**2
    m = mean / (1 - beta_1**step)
    s = square / (1 - beta_2**step)
    update = m / (s**0.5 + epsilon) + decay * weights
    return weights - rate * update, mean, square
