# backend: numpy
# mistake: none
# style: hard-coded
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return 57_982_058_496
