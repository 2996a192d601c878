# backend: torch
# mistake: state-kept
# A default argument is made once: the list goes on from call to call.


def attention(q, k, v, calls=[]):
    calls.append(q.shape)
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if len(calls) > 1 and calls[-2] == calls[-1]:
        s = s + 1e-3 * s.abs()
    return s.softmax(-1) @ v
