"""Every system call of the kernel's table, tried in a worker on things outside of it."""

from __future__ import annotations

import pytest

from benchmarks.syscalls import table, tried
from studyattn.grading.sandbox import Level, plan, seccomp

pytestmark = pytest.mark.skipif(not plan().seccomp, reason="no filter of system calls here")


@pytest.mark.timeout(300)
def test_no_call_changes_anything_outside() -> None:
    """Without namespaces, as in many containers: the filter and Landlock hold by themselves."""
    calls = table()
    found = list(tried(calls, without=(Level.PID_NAMESPACE,)))
    assert [each.number for each in found] == list(calls)
    assert {each.name: each.changed for each in found if each.changed} == {}
    listed = seccomp.ALLOWED | seccomp.ALLOWED_IN_PART.keys()
    through = {each.name for each in found if each.outcome in {"allowed", "ended"}}
    assert through <= listed
    # Of these no combination of arguments that is tried is allowed.
    never = {"arch_prctl", "clone", "ioctl", "prctl", "socketpair", "tgkill"}
    assert (listed & set(calls.values())) - through <= never
