# Two commands: `make run` starts the app, `make test` checks everything.
# Both install first, into .venv, and only when pyproject.toml or constraints.txt changed.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: run install test check docs pytest bench clean

run: install
	@$(BIN)/studyattn

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,interop]"
	@touch $@

test: check pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory docs

docs: install
	$(BIN)/zensical build --strict --clean

pytest: install
	$(BIN)/pytest

bench: install
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache build
