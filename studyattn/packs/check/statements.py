"""Check that the statements are true that a pack proves by code: its `python check` fences.

Each quotes a statement of its file and asserts it. One whose words are no longer there, whose
assertion fails, or whose assertion could not fail is a finding.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from studyattn.grading.run.script import ScriptRunner
from studyattn.packs.check.finding import Finding
from studyattn.packs.fences import checks_in, without_checks
from studyattn.packs.model import Pack


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part. Raises GradingError when the sandbox cannot be had."""
    with ScriptRunner() as runner:
        for file in sorted(pack.folder.rglob("*.md")):
            text = " ".join(without_checks(file.read_text(encoding="utf-8")).split())
            for each in checks_in(file):
                if not each.title:
                    message = "a check begins with a comment that quotes the statement"
                    yield Finding(each.place, message)
                elif each.title not in text:
                    message = f"the check quotes “{each.title}”, which {file.name} does not say"
                    yield Finding(each.place, message)
                run = runner.run(each.source + _denial(each.source))
                if run.error:
                    line = min(run.line or 0, each.source.count("\n"))
                    place = each.place.below(line)
                    yield Finding(place, f"the check of “{each.title}” fails: {run.error}")


def _denial(source: str) -> str:
    """Return code that runs `source` with its assertions turned around and fails if none fails."""
    try:
        denied = ast.unparse(_Denied().visit(ast.parse(source)))
    except SyntaxError:  # running it will tell
        return ""
    return (
        f"\ntry:\n    exec({denied!r}, {{}})\nexcept AssertionError:\n    pass\nelse:\n"
        '    raise AssertionError("it asserts nothing, so it could not fail")\n'
    )


class _Denied(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return node
