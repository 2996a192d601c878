# backend: torch
# style: clones changed in place


def adamw_step(
    weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01
):
    weights, mean, square = weights.clone(), mean.clone(), square.clone()
    mean.mul_(beta_1).add_(gradient, alpha=1 - beta_1)
    square.mul_(beta_2).addcmul_(gradient, gradient, value=1 - beta_2)
    m = mean / (1 - beta_1**step)
    s = square / (1 - beta_2**step)
    weights.mul_(1 - rate * decay)
    weights.addcdiv_(m, s.sqrt_().add_(epsilon), value=-rate)
    return weights, mean, square
