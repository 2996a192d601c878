# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
def attention_backward(q, k, v, grad_output):
    inputs = [x.detach().clone().requires_grad_(True) for x in (q, k, v)]
    out = (inputs[0] @ inputs[1].mT / q.shape[-1] ** 0.5).softmax(-1) @ inputs[2]
    out.backward(grad_output)
    return tuple(x.grad for x in inputs)
