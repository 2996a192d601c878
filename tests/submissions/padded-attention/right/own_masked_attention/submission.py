# backend: numpy
# style: two files
import numpy as np
import masked_attention as mine


def padded_attention(q, k, v, lengths):
    mask = np.arange(k.shape[1])[None, None, :] < lengths[:, None, None]
    return mine.masked_attention(q, k, v, np.broadcast_to(mask, (*q.shape[:2], k.shape[1])))
