# The ways into this project; `make help` lists them.
# Needs make and Python 3.11 or 3.12; everything else is fetched.

PORT ?= 8000
HOST ?= 127.0.0.1
PYTHON ?= $(or $(shell command -v python3.11),$(shell command -v python3))
ARGS ?=

# Extras of pyproject.toml: what a server needs, and what tests need besides.
EXTRAS ?= explore
DEV_EXTRAS = dev
# Set to the pin that goes first, with plain pip, so that no CUDA build comes along.
TORCH ?= torch==2.13.0

VENV = .venv
BIN = $(VENV)/bin
INPUTS = pyproject.toml deploy/constraints.txt Makefile
comma = ,
empty =
extras = $(subst $(empty) ,$(comma),$(strip $(1)))
PIP = PIP_ROOT_USER_ACTION=ignore $(BIN)/python -m pip --disable-pip-version-check \
	install --quiet -c deploy/constraints.txt

.PHONY: help run test check bench clean
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

help:
	@echo "make run     the whole server on http://localhost:$(PORT) (PORT=...)"
	@echo "make test    the whole test suite (ARGS='-k quota' for a part)"
	@echo "make check   style, types, migrations, settings, API schema"
	@echo "make bench   the measurements in deploy/bench"
	@echo "make clean   remove what was installed and built; var/ with its data stays"

run: $(VENV)/run.stamp
	@exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT) $(ARGS)

test: $(VENV)/dev.stamp
	@exec $(BIN)/python -m pytest $(ARGS)

# No database runs here, which makemigrations would warn of.
check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/python -W "ignore:Got an error checking" manage.py makemigrations --check --dry-run
	EGOBOARD_HTTPS=1 $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null

bench: $(VENV)/dev.stamp
	@set -e; for script in deploy/bench/bench_*.py; do \
		echo "== $$script"; $(BIN)/python "$$script"; done

clean:
	rm -rf $(VENV) *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# A stamp is newer than its inputs while nothing needs to be installed.
$(VENV)/dev.stamp: $(INPUTS)
	@$(MAKE) install EXTRAS="$(EXTRAS) $(DEV_EXTRAS)"
	@touch $@ $(VENV)/run.stamp

$(VENV)/run.stamp: $(INPUTS)
	@$(MAKE) install
	@touch $@

.PHONY: install
install: $(BIN)/python
	@echo "Installing what pyproject.toml names; the first time takes some minutes."
	@$(if $(strip $(TORCH)),$(PIP) $(TORCH))
	@$(PIP) -e '.$(if $(strip $(EXTRAS)),[$(call extras,$(EXTRAS))])'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' || \
		{ echo "Egoboard needs Python 3.11 or 3.12; name one: make PYTHON=/path/to/it"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "No virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
