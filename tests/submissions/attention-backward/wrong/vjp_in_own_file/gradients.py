from torch.func import vjp


def through(function, inputs, grad_output):
    _, pull_back = vjp(function, *inputs)
    return pull_back(grad_output)
