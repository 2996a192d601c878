# backend: torch
# mistake: output-first-rows
# breaks: own-rows
# style: shared-block
def head_updates(heads, w_o):
    return heads @ w_o[:heads.shape[-1]]
