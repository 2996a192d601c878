# backend: torch
# style: reshape
import math

def grouped_query_attention(q, k, v):
    # the members of a group are more rows of queries to the same keys
    b, h, m, d = q.shape
    rows = q.reshape(b, k.shape[1], -1, d)
    s = rows @ k.transpose(2, 3) / math.sqrt(d)
    return (s.softmax(3) @ v).reshape(b, h, m, -1)
