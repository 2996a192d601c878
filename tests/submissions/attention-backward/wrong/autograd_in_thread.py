# backend: torch
# mistake: forbidden-call
# style: autograd
import math
import threading
import torch

def attention_backward(q, k, v, grad_output):
    got = []
    def work():
        a, b, c = (t.detach().clone().requires_grad_() for t in (q, k, v))
        o = ((a @ b.mT) / math.sqrt(a.shape[-1])).softmax(-1) @ c
        o.backward(grad_output)
        got.extend((a.grad, b.grad, c.grad))
    t = threading.Thread(target=work)
    t.start()
    t.join()
    return tuple(got)
