# Two commands do everything: `make verify` measures every claim, `make test` runs the project's own tests.
# Each makes .venv, installs what it needs, and runs; a second run installs nothing and needs no network.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FETCH ?= 1
FETCH_TIMEOUT ?= 10
ARGS ?=

SOURCES := CMakeLists.txt $(shell find emulator roms_manifest harness suites benchmarks reports -type f \
	! -name '*.pyc' ! -name '*.so' ! -name '.*' 2>/dev/null)
ROOMS := emulator roms_manifest harness suites benchmarks reports
PYTHON_FILES := $(ROOMS) tests ci
# Building in the environment itself, not in a throw-away one, is what makes a rebuild work without a network.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --no-build-isolation

.PHONY: verify test lint format install install-dev sanitize clean help

help:
	@echo "make install   make the environment and install nesproof into it"
	@echo "make verify    install, then measure every claim on this machine and write a report"
	@echo "make test      install, then run linters, type checks and tests"
	@echo "make sanitize  fuzz the native console under the sanitizers (SECONDS=600)"
	@echo "make format    format Python and C++ sources"
	@echo "make clean     remove the environment and build"
	@echo
	@echo "PYTHON=python3.12  the Python that makes the environment    VENV=folder  where it is (.venv)"
	@echo "ARGS='...'         handed to nesproof verify or to pytest    FETCH=0      fetch no ROMs"
	@echo "WORKERS=3          how many processes run the tests"

# --- Installing ---

$(VENV)/.created:
	@$(PYTHON) ci/check_toolchain.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --upgrade "pip>=24" \
		"scikit-build-core>=0.11" "pybind11>=2.13" "cmake>=3.20" "ninja>=1.11"
	@touch $@

$(VENV)/.dependencies: $(VENV)/.created pyproject.toml
	@echo "Installing nesproof and what it needs into $(VENV) (about two minutes the first time)"
	$(INSTALL) .
	@touch $@ $(VENV)/.installed

# Only what the extra names: the package itself is there already, and compiling it again takes a minute.
$(VENV)/.dev-dependencies: $(VENV)/.dependencies ci/requirements_of_extra.py
	$(BIN)/python ci/requirements_of_extra.py dev > $(VENV)/dev-requirements.txt
	$(INSTALL) -r $(VENV)/dev-requirements.txt
	@touch $@

# What was installed with the dependencies just now is not installed again.
$(VENV)/.installed: $(VENV)/.dependencies $(SOURCES)
	@if [ ! -e $@ ] || [ -n "$$(find $? -newer $@ -print -quit)" ]; then \
		echo "$(INSTALL) --no-deps --no-index --force-reinstall ."; \
		$(INSTALL) --no-deps --no-index --force-reinstall . && touch $@; \
	fi

install: $(VENV)/.installed

install-dev: $(VENV)/.dev-dependencies $(VENV)/.installed

# --- Verifying ---

# The exit code of `nesproof verify` is kept in $(VENV)/verify.exit, since make itself turns every failure into 2.
verify: $(VENV)/.installed
	@rm -f $(VENV)/verify.exit
	@if [ "$(FETCH)" = 0 ] || [ "$$NESPROOF_OFFLINE" = 1 ]; then \
		echo "Not fetching test ROMs (FETCH=0 or NESPROOF_OFFLINE=1)."; \
	else \
		$(BIN)/nesproof roms fetch --yes --timeout $(FETCH_TIMEOUT) || echo "Going on without the ROMs that could not be fetched."; \
	fi
	@$(BIN)/nesproof subjects install nes-py || echo "Going on without nes-py: the claims that need it will read NOT_APPLICABLE."
	@$(BIN)/nesproof verify $(ARGS); code=$$?; echo $$code > $(VENV)/verify.exit; exit $$code

# --- Testing ---

# One more than there are processors, since many a test waits for processes that it started.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

lint: install-dev
	$(BIN)/ruff check $(PYTHON_FILES)
	$(BIN)/ruff format --check $(PYTHON_FILES)
	find emulator \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 $(BIN)/clang-format --dry-run --Werror
	$(BIN)/lint-imports --no-cache
	cd $(VENV) && bin/python -m mypy --config-file "$(CURDIR)/pyproject.toml" $(foreach room,$(ROOMS),-p nesproof.$(room))

# Workers keep to neighbouring tests, which share what they make, and take from each other when they run out of them.
test: lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

format: install-dev
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/ruff check --fix $(PYTHON_FILES)
	find emulator \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 $(BIN)/clang-format -i

sanitize: install-dev
	PYTHON=$(BIN)/python bash ci/sanitize.sh

clean:
	rm -rf $(VENV) build
