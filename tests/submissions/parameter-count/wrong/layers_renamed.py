# backend: numpy
# mistake: none
# Calls the parameter layers, so the brief's own call with num_layers=96 raises.
def attention_parameters(d_model, num_heads, d_head, layers=1):
    return 4 * d_model * d_head * num_heads * layers
