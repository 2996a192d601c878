# backend: torch
def softmax(x):
    raise NotImplementedError("what can you subtract from a row without changing the result?")
