# backend: torch
def softmax(x):
    raise NotImplementedError("what may you subtract from a row without changing its shares?")
