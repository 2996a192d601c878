# Two commands: `make run` starts the app, `make test` checks everything.
# Both install first, into .venv, and only when pyproject.toml or constraints.txt changed: `run` what
# the app needs, `test` all that the tests need. `make torch` adds torch to the app.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run install torch test check docs pytest bench corpus release clean

run: $(VENV)/.installed
	@$(BIN)/studyattn

torch: $(VENV)/.torch

install: $(VENV)/.installed-all

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed: make run PYTHON=python3.12 names another one.' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo 'This Python comes without venv. On Debian and Ubuntu: sudo apt install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable .
	@touch $@

# Without a GPU of NVIDIA's, PyTorch's CPU build is enough, a tenth as large; uv knows where it is.
CPU_TORCH = command -v nvidia-smi >/dev/null || ! command -v uv >/dev/null || \
	  uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --torch-backend cpu torch || true

$(VENV)/.torch: pyproject.toml constraints.txt | $(BIN)/python
	@$(CPU_TORCH)
	$(PIP) --editable ".[torch]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-all: pyproject.toml constraints.txt | $(BIN)/python
	@$(CPU_TORCH)
	$(PIP) --editable ".[dev,interop,torch]"
	@touch $@ $(VENV)/.installed $(VENV)/.torch

test: check pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m benchmarks.house --check
	$(MAKE) --no-print-directory docs

docs: install
	$(BIN)/zensical build --strict --clean

pytest: install
	$(BIN)/pytest

bench: install
	$(BIN)/python -m benchmarks

# Both packs, with every labeled submission in a worker of its own: `make test` takes a share.
corpus: install
	$(BIN)/studyattn pack check content/attention --submissions tests/submissions
	$(BIN)/studyattn pack check content/serving --submissions tests/submissions

release: install corpus
	$(BIN)/python -m benchmarks.release

clean:
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache build
