# backend: torch
import torch


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    for qk, ov in ((qk_1, ov_1), (qk_2, ov_2)):
        s = x @ qk @ x.T
        n = x.shape[0]
        s = s.masked_fill(torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1), -torch.inf)
        x = x + torch.softmax(s, -1) @ x @ ov
    return x

def induction_weights(x, vocabulary):
    v, (n, d) = vocabulary, x.shape
    eye = torch.eye(d, dtype=x.dtype, device=x.device)
    tok, pos, prev, out = eye[:v], eye[v:v+n], eye[v+n:2*v+n], eye[2*v+n:]
    qk1 = 300 * pos.T @ pos.roll(1, 0)
    ov1 = torch.einsum('td,te->de', tok, prev)
    start = tok.sum(0)[:, None] * tok[0]
    qk2 = 400 * torch.einsum('td,te->de', tok, prev) + 100 * start
    return qk1, ov1, qk2, torch.einsum('td,te->de', tok, out)
