"""Mistakes with activation patching."""

import numpy as np

from studyattn.grading.misconception import Misconception

from ..reference import patching as right

CONCEPT = "activation-patching"
PATCH = r"x^{(l)}_p \leftarrow \tilde x^{(l)}_p"
SHARE = r"\frac{g_{l p} - g_{\text{corrupted}}}{g_{\text{clean}} - g_{\text{corrupted}}}"


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


def _added(x, kept, position):
    patched = x.copy()
    patched[position] += kept[position]
    return patched


def _zeroed(x, _kept, position):
    patched = x.copy()
    patched[position] = 0
    return patched


def _at_the_end(x, kept, _position):
    patched = x.copy()
    patched[-1] = kept[-1]
    return patched


def _up_to(x, kept, position):
    patched = x.copy()
    patched[: position + 1] = kept[: position + 1]
    return patched


def _from(x, kept, position):
    patched = x.copy()
    patched[position:] = kept[position:]
    return patched


def _probability(scores, token):
    powers = np.exp(scores - scores.max())
    return powers[token] / powers.sum()


OF_PATCHES = (
    _named(
        "patch-reversed",
        "The clean run is patched with the corrupted one; it should be the other way round.",
        PATCH,
        {"source": lambda clean, corrupted: (corrupted, clean)},
    ),
    _named(
        "patch-whole-stream",
        "Several positions of the layer are replaced; only one should come from the clean run.",
        PATCH,
        {"put": lambda x, kept, position: kept},
        {"put": _up_to},
        {"put": _from},
    ),
    _named(
        "patch-adds",
        "The clean vector is added to the corrupted one; it should take its place.",
        PATCH,
        {"put": _added},
    ),
    _named(
        "patch-zeroes",
        "The vector is set to 0: this is an ablation. The patch puts the clean vector there.",
        PATCH,
        {"put": _zeroed},
    ),
    _named(
        "patch-layer-late",
        "The vector is put in one layer too late; it belongs before the layer that is named.",
        PATCH,
        {"is_here": lambda at, layer: at == layer + 1},
        {
            "is_here": lambda at, layer: at == layer + 1,
            "kept_at": lambda kept, layer, at: kept[at],
        },
    ),
    _named(
        "patch-layer-early",
        "The vector is from another layer than the one named, or is put before another one.",
        PATCH,
        {"kept_at": lambda kept, layer, at: kept[0]},
        {"kept_at": lambda kept, layer, at: kept[max(layer - 1, 0)]},
        {"kept_at": lambda kept, layer, at: kept[len(kept) - 1]},
        {"is_here": lambda at, layer: at == layer - 1},
        {
            "is_here": lambda at, layer: at == layer - 1,
            "kept_at": lambda kept, layer, at: kept[at],
        },
    ),
    _named(
        "patch-stays",
        "The position is replaced in other layers, too; only one layer should be patched.",
        PATCH,
        {"is_here": lambda at, layer: at >= layer, "kept_at": lambda kept, layer, at: kept[at]},
        {"is_here": lambda at, layer: at >= layer},
        {"is_here": lambda at, layer: True, "kept_at": lambda kept, layer, at: kept[at]},
    ),
    _named(
        "patch-last-position",
        "The last position is always patched; the one that is named should be.",
        PATCH,
        {"put": _at_the_end},
    ),
    _named(
        "restored-not-relative",
        "The corrupted run's difference is not subtracted, so a patch without effect is not at 0.",
        SHARE,
        {"share": lambda patched, corrupted, clean: patched / clean},
        {"share": lambda patched, corrupted, clean: patched / (clean - corrupted)},
    ),
    _named(
        "restored-not-divided",
        "The difference is not divided by that of clean and corrupted run, so 1 is not all of it.",
        SHARE,
        {"share": lambda patched, corrupted, clean: patched - corrupted},
        {"share": lambda patched, corrupted, clean: patched},
    ),
    _named(
        "restored-inverted",
        "The effect is counted from the clean run; it should be counted from the corrupted one.",
        SHARE,
        {"share": lambda patched, corrupted, clean: (clean - patched) / (clean - corrupted)},
        {"share": lambda patched, corrupted, clean: (patched - clean) / (clean - corrupted)},
    ),
    _named(
        "restored-one-score",
        "It compares the scores of one token; it should be the difference of two tokens' scores.",
        r"g = z_{\text{right}} - z_{\text{wrong}}",
        {"gap": lambda scores, right, wrong: scores[right]},
        {"gap": lambda scores, right, wrong: scores[wrong]},
    ),
    _named(
        "restored-probabilities",
        "It compares probabilities; a difference of scores does not depend on all other tokens.",
        r"g = z_{\text{right}} - z_{\text{wrong}}",
        {"gap": lambda scores, right, wrong: _probability(scores, right)},
        {
            "gap": lambda scores, right, wrong: (
                _probability(scores, right) - _probability(scores, wrong)
            )
        },
    ),
    _named(
        "restored-transposed",
        "Rows are positions and columns are layers; it should be the other way round.",
        r"(\text{layers}, n)",
        {"share": lambda patched, corrupted, clean: right.share(patched, corrupted, clean).T},
    ),
)
