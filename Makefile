# Everything runs in a local environment, .venv, that each target sets up by itself.
PYTHON ?= python3

VENV := .venv
RUN := $(VENV)/bin/python

# Tests compile for the processors that wheels are for: they try the code that is shipped, and wheels find it there.
TRY := $(RUN) wheels/baseline.py

# Machine code is kept here, apart from the sources; a new state of the sources never uses that of an old one.
export NUMBA_CACHE_DIR := $(CURDIR)/.cache/numba

# Python keeps what it compiles, too: else every process would begin with that, and the tests' with all tests.
unexport PYTHONDONTWRITEBYTECODE

# A word about its future that the documentation's theme says in each build.
export NO_MKDOCS_2_WARNING := 1

# What `make fuzz` takes: how long, from which seed (random, and told, unless given), and which families.
SECONDS ?= 600
MOTIONS ?= 100000
EVENTS ?= 1000000
SEED ?=
FAMILIES ?=

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-data test-compiler test-packaging test-browser test-cluster test-mutations test-assertions doctest examples fuzz fuzz-motions fuzz-algebra fuzz-events lint bench bench-full wheel docs clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F '|' '{ printf "make %-15s %s\n", $$1, $$2 }'

demo: $(VENV)/ready-view  ## three stories, told in a page to look around in: firstcontact-demo.html
	$(RUN) -m firstcontact demo

test: $(VENV)/ready-dev  ## all tests but those that the next eight have
	$(TRY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-long: $(VENV)/ready-dev  ## the tests that take minutes, and all of what is sampled
	$(TRY) -m pytest --full -m 'slow or sampled'

test-data: $(VENV)/ready-dev  ## the tests on the third-party data at ../shared/data
	$(TRY) -m pytest -m 'shared_data and not slow'

test-compiler: $(VENV)/ready-dev  ## the tests of what is compiled, and how often
	$(TRY) -m pytest -n 2 --dist load -m compiler

test-packaging: $(VENV)/ready-dev  ## the tests of the wheel, installed where there is nothing else
	$(TRY) -m pytest tests/packaging -m packaging

test-browser: $(VENV)/ready-dev  ## the tests of the pages, in Chromium, which it installs where it is missing
	@sh tests/browser/install.sh
	$(TRY) -m pytest tests/browser -m browser

test-cluster: $(VENV)/ready-dev  ## the tests of executors and clusters that start processes, and kill them
	$(TRY) -m pytest tests/queries/test_executor.py tests/clusters -m cluster

test-mutations: $(VENV)/ready-dev  ## the tests' own test: kernels with one thing changed, which they must notice
	nice $(RUN) tests/mutation/run.py

test-assertions: $(VENV)/ready-dev  ## all tests, and then those of their assertions that never ran
	-$(RUN) -m pytest --full -p idle_assertions -o enable_assertion_pass_hook=true -p no:xdist

doctest: $(VENV)/ready-dev  ## the examples in the docstrings
	$(TRY) -m pytest --doctest-modules src

examples: $(VENV)/ready-dev  ## the scripts in examples/
	@for script in $(wildcard examples/*.py); do echo "$$script"; QUICK=1 $(TRY) -W error "$$script" || exit 1; done

fuzz: $(VENV)/ready-dev  ## random cases for SECONDS=600 from SEED=1, of all or some FAMILIES="a b": fuzz/findings/
	$(TRY) fuzz/run.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(FAMILIES),--families $(FAMILIES))

fuzz-motions: $(VENV)/ready-dev  ## MOTIONS=100000 motions of ten families, by closed forms of their distances
	$(TRY) fuzz/motion_referee.py --motions $(MOTIONS)

fuzz-algebra: $(VENV)/ready-dev  ## MOTIONS=100000 motions by quaternions, algebra the referee of all methods
	$(TRY) fuzz/algebra_referee.py --motions $(MOTIONS)

fuzz-events: $(VENV)/ready-dev  ## EVENTS=1000000 events of scenes, on a queue that is kept and on one made anew for each
	$(TRY) fuzz/event_referee.py --events $(EVENTS)

lint: $(VENV)/ready-dev  ## ruff and mypy
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

bench: $(VENV)/ready-bench  ## side by side with peers, in some minutes: benchmarks/results/report.html
	$(RUN) benchmarks/report

bench-full: $(VENV)/ready-bench  ## the same in all its length, with the papers' tables
	$(RUN) benchmarks/report --full

wheel: $(VENV)/ready-dev  ## two wheels, pure and with machine code for this Python and platform: dist/
	$(RUN) wheels/make_pack.py build/packs
	$(RUN) -m build --wheel
	FIRSTCONTACT_PACKS=build/packs $(RUN) -m build --wheel

docs: $(VENV)/ready-docs  ## build the documentation into site/
	$(RUN) -m mkdocs build --strict

clean:  ## remove the environment, the caches and all that was built
	rm -rf $(VENV) .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist site fuzz/findings
	find src tests fuzz benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/ready-%: pyproject.toml | $(VENV)/pyvenv.cfg
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "firstcontact needs Python 3.11 or later: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
