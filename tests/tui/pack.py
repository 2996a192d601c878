"""A small pack with a card of each kind, written into a folder."""

from __future__ import annotations

from pathlib import Path

_MANIFEST = """\
id = "small"
title = "A small pack"
version = "1.0.0"
language = "en"
path = ["softmax", "scaling", "masking"]
"""

_SOFTMAX = """\
---
slug: softmax
title: Softmax
---

Softmax turns scores into weights that sum to 1: $\\frac{e^{x_i}}{\\sum_j e^{x_j}}$.

## Cards

### Why do the weights of a query sum to 1? {#softmax-sum}

Softmax divides each exponential by their sum: `w[i] = e[i] / sum(e)`.

**Why:** a weighted mean needs weights that sum to 1.

### Softmax of equal scores is the ==uniform== distribution. {#softmax-uniform .cloze}
"""

_SCALING = """\
---
slug: scaling
title: Scaling by 1/√d
requires: [softmax]
---

The scores are divided by $\\sqrt{d_k}$.

## Cards

### What are the scores divided by? {#scaling-typed .typed answer="sqrt(d_k)|root of d_k"}

By $\\sqrt{d_k}$, so that their variance stays near 1.

### How large is the variance of a dot product of length 64? {#scaling-numeric .numeric answer=64}

Each of the 64 products has variance 1, and they add up.

### What prints the variance? {#scaling-example}

A few lines of numpy.

```python example
# The variance of a dot product is its length
print(64)
```

```output
64
```
"""

_MASKING_HEAD = """\
---
slug: masking
title: Masking
requires: [scaling]
---

A mask forbids keys.

## Cards

### Why is $-\\infty$ added before the softmax? {#masking-why}

After it, the row no longer sums to 1: the forbidden keys have already taken their share.

$$\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d}} + M\\right)V$$

### What are the steps, one after another? {#masking-steps}

"""


def write_pack(folder: Path) -> None:
    """The pack's files; the last card is longer than a small terminal."""
    (folder / "concepts").mkdir(parents=True)
    steps = "\n".join(f"{number}. step number {number}" for number in range(1, 41))
    files = {
        "pack.toml": _MANIFEST,
        "concepts/softmax.md": _SOFTMAX,
        "concepts/scaling.md": _SCALING,
        "concepts/masking.md": f"{_MASKING_HEAD}{steps}\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
