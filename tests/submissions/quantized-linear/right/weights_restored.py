# backend: torch
import torch


def quantize(w, group, bits=8):
    d_in, d_out = w.shape
    top = 2 ** (bits - 1) - 1
    peaks = w.view(d_in // group, group, d_out).abs().max(1).values if w.is_contiguous() else (
        w.contiguous().view(d_in // group, group, d_out).abs().max(1).values)
    scales = peaks / top
    each = scales.repeat_interleave(group, 0)
    q = torch.where(each > 0, w / each.clamp_min(torch.finfo(w.dtype).tiny), torch.zeros_like(w))
    return torch.round(q).to(torch.int8), scales


def quantized_linear(x, q, scales):
    # 2-byte weights again, for the length of one product
    each = scales.repeat_interleave(q.shape[0] // scales.shape[0], dim=0)
    return x @ (q.to(x.dtype) * each)
