# backend: numpy
# mistake: low-rank-materialised
# style: einsum
import numpy as np

def low_rank_value(x, value_down, value_up):
    w = np.einsum("dr,re->de", value_down, value_up)
    return np.einsum("...nd,de->...ne", x, w)
