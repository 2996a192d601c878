# backend: numpy
# mistake: chunk-one-too-many
import numpy as np


def chunked_steps(prompts, outputs, budget):
    unread = np.array(prompts, dtype=np.int64)
    more = np.array(outputs, dtype=np.int64)
    rows = []
    while unread.sum() + more.sum() > 0:
        decode = ((unread == 0) & (more > 0)).astype(np.int64)
        ahead = np.cumsum(unread) - unread
        read = np.clip(budget - decode.sum() - ahead, 0, unread)
        unread, more = unread - read, more - decode
        rows.append(decode + read)
    return np.stack(rows)
