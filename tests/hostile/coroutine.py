# verdict: invalid
"""Is asynchronous."""


async def attention(q, k, v):
    return v
