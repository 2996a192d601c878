"""Loading a submission in the worker: compile, import guard, entries, arity, and lines for errors.

Runs foreign code for the first time. What a learner can do wrong before any call is an `Invalid`
with a sentence that says what to do; an import of what the drill forbids is a `Raised`.
"""

from __future__ import annotations

import inspect
import linecache
import sys
import sysconfig
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any

import msgspec

from studyattn.grading.arrays.array_library import ArrayLibrary, ForbiddenError
from studyattn.grading.call_plan import Call, CallPlan, Finished, Invalid, Raised
from studyattn.grading.run.wire import Frame, Json
from studyattn.grading.submission import Backend, Submission

MODULE = "submission"
MAX_MESSAGE = 2000
REFERENCE = "studyattn"
READY_MADE = ("flash_attn", "xformers", "transformers", "jax", "tensorflow", "keras")
"""Libraries that come with attention."""

LOOKED_FOR = (*READY_MADE, "scipy")
"""What another library may import for itself where a submission may not."""

LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "platlib", "purelib"))
"""Where code lies that is not the submission's."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to load, as the judge asks for it. `uses` says how each entry will be called."""

    path: str
    source: bytes
    backend: Backend
    entries: tuple[str, ...]
    forbidden: tuple[str, ...]
    uses: Mapping[str, Sequence[tuple[int, tuple[str, ...]]]]

    def to_frame(self) -> Frame:
        return Frame({"kind": "load", **msgspec.to_builtins(self)})

    @classmethod
    def from_json(cls, header: Json) -> Order:
        return msgspec.convert(header, cls)


def order(submission: Submission, programs: Sequence[CallPlan]) -> Order:
    """The order to load `submission` for `programs`."""
    uses: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for program in programs:
        for step in program.steps:
            if isinstance(step, Call) and step.on is None:
                use = (len(step.args), tuple(step.kwargs))
                known = uses.setdefault(step.function, [])
                if use not in known:
                    known.append(use)
    return Order(
        submission.path,
        submission.source,
        submission.backend,
        submission.entries,
        submission.forbidden,
        uses,
    )


class ImportGuard(MetaPathFinder):
    """Comes first among the finders; refuses some names, and remembers one that was swallowed.

    A library may look for another one, as torch does for tensorflow; for the reference nobody may.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)
        self.caught: str | None = None

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  # the signature is Python's
        name = fullname.partition(".")[0]
        if name not in self._names:
            return None
        if name in LOOKED_FOR and _importer(sys._getframe(1)).startswith(LIBRARIES):  # noqa: SLF001  # no other way tells who asks
            return None
        self.caught = fullname
        raise ForbiddenError(fullname)


def _importer(frame: types.FrameType | None) -> str:
    """The file whose code imports something, the machinery of imports left out."""
    while frame is not None and "importlib" in frame.f_code.co_filename:
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


def refuse_imports(names: Sequence[str]) -> ImportGuard:
    """Refuse imports of `names` for the rest of this process.

    Modules that are loaded already are forgotten; whoever holds them keeps them.
    """
    for loaded in list(sys.modules):
        if loaded.partition(".")[0] in names:
            del sys.modules[loaded]
    guard = ImportGuard(names)
    sys.meta_path.insert(0, guard)
    return guard


@dataclass(frozen=True, slots=True)
class Loaded:
    """A submission that can be called."""

    path: str
    entries: Mapping[str, Callable[..., Any]]
    forbidden: tuple[str, ...]
    imports: ImportGuard


def load(order: Order, library: ArrayLibrary) -> Loaded | Invalid | Raised:
    """Compile and run the source of `order`. MemoryError passes."""
    code = compiled(order.source, order.path)
    if isinstance(code, Invalid):
        return code
    module = types.ModuleType(MODULE)
    module.__file__ = order.path
    _keep_lines(order)
    guard = library.guard(order.forbidden)
    names = (
        REFERENCE,
        *READY_MADE,
        *order.forbidden,
        *(("torch",) if order.backend is Backend.NUMPY else ()),
    )
    imports = refuse_imports(names)
    sys.modules[MODULE] = module
    try:
        with guard:
            exec(code, module.__dict__)  # noqa: S102  # running it is what the sandbox is for
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001  # SystemExit and what else foreign code raises
        caught = guard.caught or imports.caught
        if isinstance(error, ForbiddenError) or caught:
            return forbidden(error, caught, order.path, step=0)
        if library.is_out_of_memory(error):
            raise MemoryError from None
        return _failed_to_import(error, order.path)
    caught = guard.caught or imports.caught
    if caught:
        return forbidden(ForbiddenError(caught), None, order.path, step=0)
    return _entries(module, order, imports)


def run_script(source: str, path: str, library: ArrayLibrary) -> Finished | Invalid | Raised:
    """Run `source` as a program of its own. MemoryError passes."""
    code = compiled(source.encode(), path)
    if isinstance(code, Invalid):
        return code
    try:
        exec(code, {"__name__": "__main__", "__file__": path})  # noqa: S102  # see load
    except BaseException as error:  # noqa: BLE001  # see load
        if isinstance(error, SystemExit) and error.code in {None, 0}:
            return Finished({})
        if isinstance(error, MemoryError) or library.is_out_of_memory(error):
            raise MemoryError from None
        return Raised(type_name(error), message(error), line_in(path, error), step=0)
    return Finished({})


def compiled(source: bytes, path: str) -> types.CodeType | Invalid:
    """The code of `source`, or why there is none, with the line."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return Invalid("the file is not UTF-8 text; save it as UTF-8", line)
    if not text.strip():
        return Invalid("the file is empty; write the function that the task asks for")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return Invalid("the file contains a null byte, so it is no Python source", line)
    try:
        return compile(text, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return Invalid(f"{type(error).__name__}: {error.msg}", error.lineno)
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        # The parser reports too many brackets, and its like, as an end of memory or of recursion.
        why = str(error) or "it is nested too deeply"
        return Invalid(f"Python cannot compile the file: {why}")


def _keep_lines(order: Order) -> None:
    """Let `inspect` find the source: TorchScript compiles from it."""
    lines = order.source.decode("utf-8-sig").splitlines(keepends=True)
    linecache.cache[order.path] = (len(order.source), None, lines, order.path)


def _failed_to_import(error: BaseException, path: str) -> Invalid:
    if isinstance(error, SystemExit):
        what = "it calls sys.exit while it is imported; leave that to functions"
    elif isinstance(error, ModuleNotFoundError) and error.name:
        what = (
            f"it imports `{error.name}`, which is not installed; a submission is graded as one "
            "file, so copy what it needs of your other files into it"
        )
    else:
        what = f"it raises while it is imported: {type_name(error)}: {message(error)}"
    return Invalid(what, line_in(path, error))


def _entries(module: types.ModuleType, order: Order, imports: ImportGuard) -> Loaded | Invalid:
    entries = {}
    for name in order.entries:
        entry = vars(module).get(name)
        if entry is None:
            return Invalid(f"it defines no `{name}`; the task asks for that name")
        if not callable(entry):
            return Invalid(f"`{name}` is no function or class")
        misfit = _misfit(name, entry, order.uses.get(name, ()))
        if misfit:
            return misfit
        entries[name] = entry
    return Loaded(order.path, entries, order.forbidden, imports)


def _misfit(name: str, entry: Any, uses: Sequence[tuple[int, tuple[str, ...]]]) -> Invalid | None:
    code = getattr(entry, "__code__", None)
    line = code.co_firstlineno if isinstance(code, types.CodeType) else None
    kinds = (
        (inspect.isasyncgenfunction, "an asynchronous generator"),
        (inspect.iscoroutinefunction, "a coroutine (async def)"),
        (inspect.isgeneratorfunction, "a generator (it has a yield)"),
    )
    for is_kind, what in kinds:
        if is_kind(entry):
            return Invalid(f"`{name}` is {what}; it must return its result", line)
    try:
        signature = inspect.signature(entry)
    except (ValueError, TypeError):
        return None  # written in C, or signed with nonsense: the call will tell
    for count, keywords in uses:
        try:
            signature.bind(*range(count), **dict.fromkeys(keywords))
        except TypeError as error:
            shown = _arguments(count, keywords)
            return Invalid(f"`{name}{signature}` cannot be called with {shown}: {error}", line)
    return None


def _arguments(count: int, keywords: Sequence[str]) -> str:
    shown = "1 argument" if count == 1 else f"{count} arguments"
    return " and ".join([shown, *(f"`{keyword}=`" for keyword in keywords)])


def forbidden(error: BaseException, caught: str | None, path: str, step: int) -> Raised:
    """The outcome of a forbidden call or import, also when the submission caught the error."""
    name = error.name if isinstance(error, ForbiddenError) else caught or ""
    what = str(ForbiddenError(name))
    return Raised("ForbiddenError", what, line_in(path, error), step, forbidden=name)


def line_in(path: str, error: BaseException) -> int | None:
    """The line of the file `path` nearest to where `error` was raised, if it took part."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    line = None
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == path:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line


def type_name(error: BaseException) -> str:
    """The name of the error's type, asked of `type` itself."""
    return str(type.__dict__["__name__"].__get__(type(error)))[:200]


def message(error: BaseException) -> str:
    """The error's message, cut to a length; its own `__str__` may do anything but escape."""
    try:
        return str(error)[:MAX_MESSAGE]
    except BaseException:  # noqa: BLE001  # see above
        return "(its message cannot be shown)"
