"""What the checks of several drills share."""

FORBIDDEN = (
    "scaled_dot_product_attention",
    "multi_head_attention_forward",
    "MultiheadAttention",
)
"""Library functions that do a whole exercise; their twins and private kernels are caught too."""
