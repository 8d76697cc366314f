# Everything happens in a virtual environment of the project's own, made on first use.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests are many programs and many files: what Python makes of them is kept, whatever the environment says, and beside the files,
# where pip has put what it made of the packages.
BYTECODE := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=
# Each worker has a processor to itself: threads of linear algebra beside it would wait for one, which costs as much as work.
THREADS := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: help demo studio test docs bench bench-peers bench-full papers package clean

help:  ## Say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

demo: $(VENV)/.installed  ## Run the whole way on example data
	@$(BIN)/tokumei demo --output example-release

studio: $(VENV)/.installed-studio  ## Open the web app on this machine
	@$(BIN)/tokumei studio

test: $(VENV)/.installed-dev  ## Check style, types and behaviour
	@./scripts/timed "system packages" ./scripts/system-packages
	@PATH="$(abspath $(BIN)):$$PATH" ./scripts/timed "style" ruff check .
	@PATH="$(abspath $(BIN)):$$PATH" ./scripts/timed "format" ruff format --check .
	@PATH="$(abspath $(BIN)):$$PATH" ./scripts/timed "types" mypy
	@PATH="$(abspath $(BIN)):$$PATH" NO_MKDOCS_2_WARNING=1 ./scripts/timed "documentation" mkdocs build --strict --quiet
	@PATH="$(abspath $(BIN)):$$PATH" $(BYTECODE) $(THREADS) ./scripts/timed "tests" python -m pytest -n 2 --no-loadscope-reorder --durations=10

docs: $(VENV)/.installed-dev  ## Build the documentation into site/
	@PATH="$(abspath $(BIN)):$$PATH" NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet
	@echo "site/index.html"

bench: $(VENV)/.installed-dev  ## Print the board of ratios
	@$(BIN)/python -m benchmarks.board

bench-peers: $(VENV)/.installed-dev  ## Let other packages do the same jobs, on few rows
	@$(BIN)/python -m benchmarks.peers --quick

bench-full: $(VENV)/.installed-dev  ## Measure everything anew and fill the pages
	@$(BIN)/python -m benchmarks.full

papers: $(VENV)/.installed-dev  ## Repeat all five papers and judge their claims
	@$(BIN)/python -m benchmarks.papers $(if $(QUICK),--quick)

package:  ## Build the package, and install and use it under every Python that is here
	@$(PYTHON) scripts/package_check.py

clean:  ## Remove what was made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build site example-release

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "tokumei needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is missing (on Debian: apt-get install python3-venv)." >&2; exit 1; }
	@touch $@

$(VENV)/.installed: $(VENV)/.python pyproject.toml
	@echo "Installing tokumei into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-studio: $(VENV)/.installed
	@echo "Installing the studio into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[studio]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.python pyproject.toml
	@echo "Installing tokumei and its test tools into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(VENV)/.installed $@
