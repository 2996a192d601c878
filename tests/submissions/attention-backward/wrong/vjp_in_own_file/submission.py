# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: two files
from gradients import through
from attention_mine import attention


def attention_backward(q, k, v, grad_output):
    return through(attention, (q, k, v), grad_output)
