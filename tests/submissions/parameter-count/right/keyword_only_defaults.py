# backend: numpy
# style: reduce
from functools import lru_cache, reduce
from operator import mul

@lru_cache(maxsize=None)
def attention_parameters(d_model: int, num_heads: int, d_head: int, num_layers: int = 1) -> int:
    return reduce(mul, [d_model, num_heads, d_head, num_layers], 4)
