# backend: torch
# mistake: output-rows-interleaved, updates-summed
# style: strided
def head_updates(heads, w_o):
    h = heads.shape[-3]
    return sum(heads[..., i, :, :] @ w_o[i::h] for i in range(h))
