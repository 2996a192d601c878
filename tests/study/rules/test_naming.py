"""Names that a learner gives: a key before a title, a whole name before a beginning."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.errors import InputError, NotFoundError
from studyattn.study.rules.naming import Named, did_you_mean, meant

THINGS = (
    Named("softmax", "The softmax"),
    Named("softmax-axis", "Which axis"),
    Named("kv-cache", "The cache of keys and values"),
    Named("masking", "Masking"),
    Named("mask", "Which axis"),
)


def find(name: str) -> str:
    return meant(name, THINGS, what="concept", listing="list").key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("softmax", "softmax"),  # the beginning of another key, too
        ("mask", "mask"),
        ("KV Cache", "kv-cache"),
        ("the cache of keys and values", "kv-cache"),
        ("the cache", "kv-cache"),
        ("kv", "kv-cache"),
        ("maski", "masking"),
        ("softmax_a", "softmax-axis"),
    ],
)
def test_what_a_name_means(name: str, key: str) -> None:
    assert find(name) == key


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("s", "softmax, softmax-axis"),
        ("the", "softmax, kv-cache"),
        ("which axis", "softmax-axis, mask"),
    ],
)
def test_what_may_mean_several_is_refused_with_all_of_them(name: str, listed: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"matches several concepts: {listed}. ")):
        find(name)


def test_a_long_list_is_cut() -> None:
    with pytest.raises(InputError, match=r"c5 and 3 more\. "):
        meant("c", [Named(f"c{n}", "") for n in range(9)], what="concept", listing="list")


@pytest.mark.parametrize("name", ["", " ", "x", "softmax-axis-and-more"])
def test_what_nothing_is_called_is_not_found(name: str) -> None:
    with pytest.raises(NotFoundError, match="`list` lists them"):
        find(name)


def test_a_near_name_is_told_once() -> None:
    assert did_you_mean("sofmax", THINGS) == "Did you mean 'softmax' or 'softmax-axis'? "
    assert did_you_mean("zzz", THINGS) == ""


KEYS = st.lists(st.text("ab", min_size=1, max_size=4), unique=True, min_size=1)


@given(KEYS, st.data())
def test_a_key_always_means_itself_and_a_beginning_only_what_begins_so(
    keys: list[str], data: st.DataObject
) -> None:
    things = [Named(key, f"z{key}") for key in keys]
    key = data.draw(st.sampled_from(keys))
    assert meant(key, things, what="thing", listing="list").key == key
    part = key[: data.draw(st.integers(1, len(key)))]
    try:
        found = meant(part, things, what="thing", listing="list").key
    except InputError:
        assert sum(each.startswith(part) for each in keys) > 1
    else:
        assert found == part or [found] == [each for each in keys if each.startswith(part)]
