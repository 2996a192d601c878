# backend: torch
# mistake: forbidden-call
# style: two files
from helpers import fused as attention
