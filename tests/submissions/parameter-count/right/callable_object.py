# backend: numpy
# style: class
class Counter:
    def __call__(self, d_model, num_heads, d_head, num_layers=1):
        inner = num_heads * d_head
        return num_layers * (d_model * 3 * inner + inner * d_model)

attention_parameters = Counter()
