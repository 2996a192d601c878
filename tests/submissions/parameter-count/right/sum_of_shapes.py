# backend: numpy
from dataclasses import dataclass
from functools import cached_property
from math import prod


@dataclass
class Head:
    d_model: int
    d_head: int

    @cached_property
    def shapes(self):
        down, up = (self.d_model, self.d_head), (self.d_head, self.d_model)
        return {"query": down, "key": down, "value": down, "output": up}


def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    one = sum(map(prod, Head(d_model=d_model, d_head=d_head).shapes.values()))
    return one * num_heads * num_layers
