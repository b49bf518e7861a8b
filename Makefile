# Thin targets; CI calls the same ones. `make demo` and `make test` set everything up on a fresh machine
# (Python 3.11 or newer, nothing else).

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
EVALKIT := $(BIN)/evalkit
PYTEST := $(BIN)/python -m pytest
WORKERS ?= auto

# Modules that are compiled anew in every process make each call of evalkit in a test several times slower.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-data test-browser check format lint types imports house docs bench nightly evidence lock clean

setup: .venv/.stamp

# Once per lock: uv where it is on the path, pip elsewhere; both refuse a file whose hash is not in the lock.
.venv/.stamp: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "evalkit needs Python 3.11 or newer, and none was found" >&2; exit 2; }
	@echo "--- setting up evalkit in .venv, once; nothing outside of this folder is changed"
	@echo "--- downloading and installing about 70 packages, each held against its hash in requirements.lock"
	@echo "--- some minutes the first time, and nothing is said meanwhile; most is waiting for the network"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@if command -v uv >/dev/null; then \
		uv pip install -q --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock && \
		uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else \
		$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock && \
		$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	fi
	@echo "--- ready: . .venv/bin/activate"
	@touch $@

demo: setup ## the main job, offline, on the suite `refund`, and its report; about a minute
	@echo "--- is the suite sound, and what can it prove?"
	@$(EVALKIT) check suites/refund
	@echo "--- the champion, five trials of each of 40 cases"
	@$(EVALKIT) gate suites/refund --arm champion --trials 5
	@echo "--- the challenger: a no-go (exit code 1) is the right answer here"
	@$(EVALKIT) gate suites/refund --arm challenger --trials 5; test $$? -eq 1
	@echo "--- the same decision for a browser, with board, clusters and traces"
	@$(EVALKIT) report latest:refund
	@echo "--- evalkit lies in .venv/bin; type: . .venv/bin/activate"

test: setup ## everything but the nightly tests
	$(PYTEST) -q -n $(WORKERS) $(ARGS)

test-data: setup ## the tests that read the shared data; a skipped one is a failure
	$(PYTEST) -q -m "shared_data and not nightly" --require-shared-data $(ARGS)

test-browser: setup ## the HTML report in Chromium; a skipped test is a failure
	$(PYTEST) -q tests/browser --require-browser $(ARGS)

check: format lint types imports house docs ## what a reviewer should not have to say

format: setup
	$(BIN)/ruff format --check .

lint: setup
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

imports: setup
	$(BIN)/lint-imports

house: setup
	$(BIN)/python -m tests.house.sizes
	$(PYTEST) -q tests/house --ignore=tests/house/test_docs.py

docs: setup
	$(PYTEST) -q tests/house/test_docs.py

bench: setup benchmarks/.venv/.stamp ## the same work through peers; ARGS="--quick" or "--write --large"
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/overhead.py $(ARGS)

benchmarks/.venv/.stamp: benchmarks/requirements.lock
	test -x benchmarks/.venv/bin/python || $(BIN)/python -m venv benchmarks/.venv
	$(BIN)/uv pip install -q --python benchmarks/.venv/bin/python --require-hashes -r $<
	touch $@

evidence: setup ## one table: what must be reached, and its figure
	$(BIN)/python -m tests.evidence

nightly: setup ## slow tests, deep properties, the coverage floor, mutation testing
	$(PYTEST) -q -n $(WORKERS) --cov --cov-report=term -m "nightly or not nightly" \
		--hypothesis-profile=nightly $(ARGS)
	EVALKIT_SHARED_DATA=$${EVALKIT_SHARED_DATA:-$(abspath ../shared/data)} $(BIN)/mutmut run

lock: ## after a change of the dependencies in pyproject.toml
	$(BIN)/uv pip compile -q pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --upgrade -o requirements.lock
	$(BIN)/uv pip compile -q benchmarks/requirements.in --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --upgrade -o benchmarks/requirements.lock

clean:
	rm -rf .venv build dist mutants .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
