# verdict: refused
"""Calls the function in a thread of its own."""

import threading

import torch


def right(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(scores, -1) @ v


def attention(q, k, v):
    results = []

    def work():
        try:
            results.append(torch.nn.functional.scaled_dot_product_attention(q, k, v))
        except BaseException:
            results.append(right(q, k, v))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return results[0]
