# backend: torch
import torch

def adamw_step(weights, gradient, mean, square, step, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-8, decay=0.01):
    p = torch.nn.Parameter(weights.detach().clone())
    p.grad = gradient.detach().clone()
    o = torch.optim.AdamW([p], lr=rate, betas=(beta_1, beta_2), eps=epsilon, weight_decay=decay)
    m, s = mean.detach().clone(), square.detach().clone()
    o.state[p] = {"step": torch.tensor(float(step - 1)), "exp_avg": m, "exp_avg_sq": s}
    o.step()
    return p.detach(), m, s
