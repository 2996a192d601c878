# backend: numpy
# style: dataclass
from dataclasses import dataclass
from functools import cached_property

@dataclass(frozen=True)
class Matrix:
    rows: int
    columns: int

    def __len__(self):
        return self.rows * self.columns

    @cached_property
    def numbers(self) -> int:
        return self.rows * self.columns

@dataclass
class Block:
    d_model: int
    heads: int
    width: int

    def parameters(self):
        down, up = Matrix(self.d_model, self.width), Matrix(self.width, self.d_model)
        return self.heads * (3 * down.numbers + up.numbers)

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return sum([Block(d_model, num_heads, d_head).parameters()] * num_layers)
