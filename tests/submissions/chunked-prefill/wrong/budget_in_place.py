# backend: torch
# mistake: input-mutated
import torch


def chunked_steps(prompts, outputs, budget):
    p, g = prompts, outputs.clone()
    table = []
    while (p > 0).any() or (g > 1).any():
        row = torch.zeros_like(p)
        ready = (p == 0) & (g > 1)
        row[ready] = 1
        g = g - row
        left = budget - int(row.sum())
        for i in range(len(p)):
            while p[i] > 0 and left > 0:
                p[i] -= 1
                row[i] += 1
                left -= 1
        table.append(row)
    return torch.stack(table)
