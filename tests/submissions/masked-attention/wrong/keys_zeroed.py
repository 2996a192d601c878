# backend: torch
# mistake: none
# style: zeroed-keys
def masked_attention(q, k, v, mask):
    # silence keys that no query may see; the rest is left to chance
    used = mask.any(-2).unsqueeze(-1)
    return (q @ (k * used).transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) @ (v * used)
