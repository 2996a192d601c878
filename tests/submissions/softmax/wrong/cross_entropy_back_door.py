# backend: torch
# mistake: forbidden-call
# Reads each share from the library's cross_entropy, which contains log_softmax.
import torch
import torch.nn.functional as F

def softmax(x):
    n = x.shape[-1]
    flat = x.reshape(-1, n)
    columns = []
    for j in range(n):
        target = torch.full((flat.shape[0],), j, dtype=torch.long, device=x.device)
        columns.append(torch.exp(-F.cross_entropy(flat, target, reduction="none")))
    return torch.stack(columns, dim=-1).reshape(x.shape)
