"""Loading a submission in the worker: compile, imports, entries, arity, and lines for errors.

Runs foreign code for the first time. What a learner can do wrong before any call is an `Invalid`
with a sentence that says what to do; an import of what the drill forbids is a `Raised`.
"""

from __future__ import annotations

import difflib
import inspect
import linecache
import sys
import sysconfig
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import PurePath
from typing import Any

import msgspec

from studyattn.grading.arrays.array_library import ArrayLibrary, ForbiddenError
from studyattn.grading.call_plan import Call, CallPlan, Finished, Invalid, Raised
from studyattn.grading.run.wire import Frame, Json
from studyattn.grading.submission import OWN, PASSED, Backend, Rest, SourceFile, Submission
from studyattn.grading.verdict import NOT_WRITTEN, READY_MADE

MODULE = "submission"
MAX_MESSAGE = 2000
REFERENCE = "studyattn"
LOOKED_FOR = (*READY_MADE, "scipy")
"""What another library may import for itself where a submission may not."""

LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "platlib", "purelib"))
"""Where code lies that is not the submission's."""


@dataclass(frozen=True, slots=True)
class Order:
    """A request to load a submission. `uses` tells how each entry will be called."""

    path: str
    source: bytes
    backend: Backend
    entries: tuple[str, ...]
    forbidden: tuple[str, ...]
    beside: tuple[SourceFile, ...] | None
    rest: Rest | None
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
        submission.beside,
        submission.rest,
        uses,
    )


class ImportGuard(MetaPathFinder):
    """Comes first among the finders; refuses some names, and remembers one that was swallowed.

    A library may look for another one, as torch does for tensorflow; for the reference nobody may.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.refuses = frozenset(names)
        self.caught: str | None = None

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  # the signature is Python's
        name = fullname.partition(".")[0]
        if name not in self.refuses:
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

    Modules that are loaded already are forgotten; whoever holds them keeps them. The finders that
    an earlier submission in this process was given go.
    """
    own = [each for each in sys.meta_path if isinstance(each, ImportGuard | BesideFinder | NoTorch)]
    sys.meta_path[:] = [each for each in sys.meta_path if each not in own]
    guard = ImportGuard(names)
    if not any(isinstance(each, ImportGuard) and each.refuses == guard.refuses for each in own):
        for loaded in list(sys.modules):
            if loaded.partition(".")[0] in names:
                del sys.modules[loaded]
    sys.meta_path.insert(0, guard)
    return guard


class BesideFinder(MetaPathFinder, Loader):
    """Finds the files beside a submission, for it and for each other; libraries find their own.

    They are run as the submission is: under the same guard, without access to their folder.
    """

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self._files = {file.module: file for file in files}

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  # the signature is Python's
        file = self._files.get(fullname)
        if file is None or _importer(sys._getframe(1)).startswith(LIBRARIES):  # noqa: SLF001  # see ImportGuard
            return None
        is_package = any(name.startswith(f"{fullname}.") for name in self._files)
        return ModuleSpec(fullname, self, origin=file.path, is_package=is_package)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave that to Python."""

    def exec_module(self, module: types.ModuleType) -> None:
        file = self._files[module.__name__]
        code = compiled(file.source, file.path)
        if isinstance(code, Invalid):
            why = code.message.removeprefix("SyntaxError: ")
            raise SyntaxError(why, (file.path, code.line, None, None))  # noqa: TRY004  # it is one
        module.__file__ = file.path
        _keep_lines(file.path, file.source)
        exec(code, module.__dict__)  # noqa: S102  # see load


class NoTorch(MetaPathFinder, Loader):
    """Stands in for torch in a file that is graded with numpy arrays and imports torch as well.

    While the file is loaded, everything in it may be named and called, and gives nothing: the file
    may have code beside the answer. From then on, a call is a forbidden one.
    """

    def __init__(self, imports: ImportGuard) -> None:
        self._imports = imports
        self.is_loading = True

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  # the signature is Python's
        if fullname.partition(".")[0] != "torch":
            return None
        if _importer(sys._getframe(1)).startswith(LIBRARIES):  # noqa: SLF001  # see ImportGuard
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave that to Python."""

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        module.__dict__["__getattr__"] = lambda part: _Nothing(self, f"{name}.{part}")

    def called(self, name: str) -> None:
        if not self.is_loading:
            self._imports.caught = name
            raise ForbiddenError(name)


class _Nothing:
    """Something of torch where there is no torch. Nothing is an instance of it."""

    def __init__(self, torch: NoTorch, name: str) -> None:
        self._torch, self._name = torch, name

    def __getattr__(self, part: str) -> Any:
        if part.startswith("__"):
            raise AttributeError(part)
        return _Nothing(self._torch, f"{self._name}.{part}")

    def __call__(self, *_args: object, **_kwargs: object) -> Any:
        self._torch.called(self._name)
        return self

    def __instancecheck__(self, _value: object) -> bool:
        return False

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return ()

    def __or__(self, _other: object) -> Any:
        return self

    __ror__ = __or__


@dataclass(frozen=True, slots=True)
class Loaded:
    """A submission that can be called."""

    files: Files
    entries: Mapping[str, Callable[..., Any]]
    forbidden: tuple[str, ...]
    imports: ImportGuard


def load(order: Order, library: ArrayLibrary) -> Loaded | Invalid | Raised:
    """Compile and run the source of `order`. MemoryError passes."""
    code = compiled(order.source, order.path)
    if isinstance(code, Invalid):
        return code
    lent = () if order.rest is None else (order.rest.file,)
    files = Files(order.path, tuple(file.path for file in (*(order.beside or ()), *lent)))
    module = types.ModuleType(MODULE)
    module.__file__ = order.path
    _keep_lines(order.path, order.source)
    guard = library.guard(order.forbidden)
    imports = refuse_imports((REFERENCE, *READY_MADE, *order.forbidden))
    no_torch = NoTorch(imports)
    if order.backend is Backend.NUMPY:
        sys.meta_path.insert(0, no_torch)
    # Before the guard: a file of that name beside it is no library with that name.
    sys.meta_path.insert(0, BesideFinder(order.beside or ()))
    sys.modules[MODULE] = module
    try:
        with guard:
            exec(code, module.__dict__)  # noqa: S102  # running it is what the sandbox is for
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001  # SystemExit and what else foreign code raises
        caught = guard.caught or imports.caught
        if isinstance(error, ForbiddenError) or caught:
            return forbidden(error, caught, files, step=0)
        if library.is_out_of_memory(error):
            raise MemoryError from None
        return _failed_to_import(error, files, has_folder=order.beside is not None)
    no_torch.is_loading = False
    caught = guard.caught or imports.caught
    if caught:
        return forbidden(ForbiddenError(caught), None, files, step=0)
    if order.rest is not None:
        whole = _completed(module, order.rest)
        if isinstance(whole, Invalid):
            return whole
        module = whole
    return _entries(module, order, files, imports)


def _completed(module: types.ModuleType, rest: Rest) -> types.ModuleType | Invalid:
    """Return the rest of a drill, which calls what the submission has of it."""
    whole = types.ModuleType(rest.file.module)
    for name in rest.own:
        if not callable(vars(module).get(name)):
            return Invalid(f"{NOT_WRITTEN}: there is no `{name}`")
        vars(whole)[name] = vars(module)[name]
    exec(compile(rest.file.source, rest.file.path, "exec"), whole.__dict__)  # noqa: S102  # the pack's
    return whole


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
        return raised(error, Files(path), step=0)
    return Finished({})


def compiled(source: bytes, path: str) -> types.CodeType | Invalid:
    """The code of `source`, or why there is none, with the line."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return Invalid("the file is not UTF-8 text; save it as UTF-8", line)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return Invalid("the file contains a null byte, so it is not Python source", line)
    try:
        return compile(text, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return Invalid(f"{type(error).__name__}: {error.msg}", error.lineno)
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        # The parser reports too many brackets, and its like, as an end of memory or of recursion.
        why = str(error) or "it is nested too deeply"
        return Invalid(f"Python cannot compile the file: {why}")


def _keep_lines(path: str, source: bytes) -> None:
    """Let `inspect` find the source: TorchScript compiles from it."""
    lines = source.decode("utf-8-sig").splitlines(keepends=True)
    linecache.cache[path] = (len(source), None, lines, path)


def _failed_to_import(error: BaseException, files: Files, *, has_folder: bool) -> Invalid:
    if isinstance(error, SystemExit):
        what = "it calls sys.exit during import; call it only inside functions"
    elif isinstance(error, ModuleNotFoundError) and f".{OWN}" in (error.name or ""):
        what = "it imports the drill's own solution: your code that passed this drill"
    elif isinstance(error, ModuleNotFoundError) and error.name == PASSED:
        what = (
            f"it imports `{PASSED}`, the package of your code that has passed, which is not in its"
            " folder: once a drill has passed, `studyattn drill mine --dir FOLDER` writes it there"
        )
    elif isinstance(error, ModuleNotFoundError) and error.name:
        file = f"{error.name.partition('.')[0]}.py"
        what = f"it imports `{error.name}`, which is not installed, and " + (
            f"there is no {file} in its folder: only files and packages there can be imported"
            if has_folder
            else f"no {file} can be imported: it was graded as text, without a folder"
        )
    else:
        what = f"it raises an error during import: {type_name(error)}: {message(error)}"
    return Invalid(what + files.beside_in(error), files.line_in(error))


def _entries(
    module: types.ModuleType, order: Order, files: Files, imports: ImportGuard
) -> Loaded | Invalid:
    entries = {}
    for name in order.entries:
        entry = vars(module).get(name)
        if entry is None:
            return Invalid(
                f"it does not define `{name}`; the task requires that name{_instead(name, module)}"
            )
        if not callable(entry):
            return Invalid(f"`{name}` is not a function or class")
        misfit = _misfit(name, entry, files.path, order.uses.get(name, ()))
        if misfit:
            return misfit
        entries[name] = entry
    return Loaded(files, entries, order.forbidden, imports)


def _instead(name: str, module: types.ModuleType) -> str:
    """Name what the file defines in place of `name`: the most similar, or all that there is."""
    defined = [
        each
        for each, value in vars(module).items()
        if isinstance(value, types.FunctionType | type) and value.__module__ == module.__name__
    ]
    found = difflib.get_close_matches(name, defined, n=1) or (defined if len(defined) == 1 else ())
    return f", and the file has `{found[0]}`" if found else ""


def _misfit(
    name: str, entry: Any, path: str, uses: Sequence[tuple[int, tuple[str, ...]]]
) -> Invalid | None:
    code = getattr(entry, "__code__", None)
    line = None
    if isinstance(code, types.CodeType) and code.co_filename == path:
        line = code.co_firstlineno
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


@dataclass(frozen=True, slots=True)
class Files:
    """The learner's code: the submission, and the files beside it that it may import."""

    path: str
    beside: tuple[str, ...] = ()

    def line_in(self, error: BaseException) -> int | None:
        """The line of the submission nearest to where `error` was raised, if it took part."""
        return next((line for path, line in self._lines(error) if path == self.path), None)

    def beside_in(self, error: BaseException) -> str:
        """The file beside the submission in which `error` was raised, with the line, or nothing.

        A SyntaxError has its place in its message.
        """
        path, line = next(self._lines(error), (self.path, 0))
        if path == self.path or isinstance(error, SyntaxError):
            return ""
        place = f", line {line}" if path.endswith(".py") else ""  # else it is nobody's to read
        return f" (in {PurePath(path).name}{place})"

    def _lines(self, error: BaseException) -> Iterator[tuple[str, int]]:
        """The lines of these files through which `error` passed, the nearest first."""
        if isinstance(error, SyntaxError) and error.filename == self.path and error.lineno:
            yield self.path, error.lineno
        passed = []
        at = error.__traceback__
        while at is not None:
            path = at.tb_frame.f_code.co_filename
            if path == self.path or path in self.beside:
                passed.append((path, at.tb_lineno))
            at = at.tb_next
        yield from reversed(passed)


def raised(error: BaseException, files: Files, step: int) -> Raised:
    """The outcome of a step that raised `error`."""
    told = message(error) + files.beside_in(error)
    return Raised(type_name(error), told, files.line_in(error), step)


def forbidden(error: BaseException, caught: str | None, files: Files, step: int) -> Raised:
    """The outcome of a forbidden call or import, also when the submission caught the error."""
    name = error.name if isinstance(error, ForbiddenError) else caught or ""
    name += files.beside_in(error)
    what = str(ForbiddenError(name))
    return Raised("ForbiddenError", what, files.line_in(error), step, forbidden=name)


def type_name(error: BaseException) -> str:
    """The name of the error's type, asked of `type` itself."""
    return str(type.__dict__["__name__"].__get__(type(error)))[:200]


def message(error: BaseException) -> str:
    """The error's message, cut to a length; its own `__str__` may do anything but escape."""
    try:
        return str(error)[:MAX_MESSAGE]
    except BaseException:  # noqa: BLE001  # see above
        return "(its message cannot be shown)"
