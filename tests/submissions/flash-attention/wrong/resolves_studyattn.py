# backend: numpy
# mistake: none
# style: import
import pkgutil
f = pkgutil.resolve_name("studyattn.attention:flash_attention")
def flash_attention(q, k, v, block_size):
    return f(q, k, v, block_size)
