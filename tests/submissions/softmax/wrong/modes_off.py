# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: library
import torch
from torch.utils._python_dispatch import _disable_current_modes

def softmax(x):
    with torch._C.DisableTorchFunction(), _disable_current_modes():
        return x.softmax(-1)
