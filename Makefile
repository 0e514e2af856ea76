# `make help` lists what can be done. Files under .venv and js/node_modules named `made-…` remember what is done.

PYTHON ?= python3
PORT ?= 8888
# More options for JupyterLab in `make demo`, such as LAB=--no-browser.
LAB ?=
# How many studies of each topic `make hostile` generates, from which seed; the tests make 10 to 150 of each.
CASES ?= 3000
SEED ?= 0

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Compiled modules and tests are kept: without them every worker and every kernel compiles them anew, a third of a check.
export PYTHONDONTWRITEBYTECODE :=
PY := .venv/bin/python
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
# Of two cores the types take one in `make check`: two workers beside them take a fifth more of the processor for it.
WORKERS ?= $(shell test "$$(nproc 2>/dev/null || echo 4)" -gt 2 && echo auto || echo 0)
# Side by side the parts of `make check` keep their own lines together, where this make can do that (GNU make 4).
TOGETHER := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
BUNDLE := src/tauscope/static/stress/curves.js
BUNDLED := js/package.json js/build.mjs $(shell find js/src -type f)
# An editable install copies these instead of linking them, so a change asks for another install.
COPIED := pyproject.toml $(shell find jupyter-config/voila jupyter-config/labextension js/src/lab -type f)
LOWEST := .venv-lowest/bin/python
# These need JupyterLab's client, Dask, and a polars with types of others' making, which are not among what is declared.
NOT_ON_LOWEST := --ignore=tests/model/test_drawn_bar.py \
	--deselect=tests/data/test_frames.py::test_rows_that_are_elsewhere_are_led_here \
	--deselect=tests/data/test_reading.py::test_records_of_a_type_that_narwhals_does_not_know_are_refused
ON_LOWEST := tests/test_verbs.py tests/data tests/model tests/study/test_study.py tests/study/rules/test_rule_list.py
LAB_DEFAULTS := .venv/share/jupyter/lab/settings/overrides.json

.DEFAULT_GOAL := help
.PHONY: help demo check test test-python test-quick test-lowest test-js hostile wire lint types types-python types-js bench wheel docs screenshots install chromium clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/made-demo $(LAB_DEFAULTS) ## JupyterLab on the tour (PORT=8888 by default); Ctrl-C twice stops it
	$(PY) -m jupyterlab notebooks/01-tour.ipynb --ServerApp.port=$(PORT) $(AS_ROOT) $(LAB) \
		--LabApp.default_url=/lab/tree/01-tour.ipynb

check: .venv/made-test js/node_modules/made-packages ## the quick part of `make test`, two at a time, the longest first
	@$(MAKE) --no-print-directory --jobs=2 $(TOGETHER) types-python test-quick test-js types-js lint

test: lint types test-js test-lowest test-python ## everything: lint, types, TypeScript, Python, browsers, and what `make demo` starts

test-python: .venv/made-test chromium ## the Python tests, in browsers too
	$(PY) -m pytest

test-quick: .venv/made-test ## the Python tests but for those marked slow: browsers, notebooks, the wheel, long computations
	$(PY) -m pytest -q -m "not slow" -n $(WORKERS)

test-lowest: .venv-lowest/made $(BUNDLE) ## every verb, and the doors, on the lowest versions pyproject.toml declares
	@if test -x $(LOWEST); then PYTHONPATH=src $(LOWEST) -m pytest -q -W ignore::DeprecationWarning $(ON_LOWEST) $(NOT_ON_LOWEST); \
		else echo "the lowest versions have no wheels for this Python: to run on them, make clean test-lowest PYTHON=python3.12"; fi

test-js: js/node_modules/made-packages ## the TypeScript tests
	npm --prefix js test

hostile: .venv/made-test ## generated odd input against oracles (CASES=3000 studies of each topic, from SEED=0)
	HOSTILE_CASES=$(CASES) HOSTILE_SEED=$(SEED) $(PY) -m pytest -q --dist load tests/hostile

wire: .venv/made-test ## js/src/wire/messages.ts, from the TypedDicts that Python fills
	$(PY) js/generate_wire.py

lint: .venv/made-test js/node_modules/made-packages ## style of both languages
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	npm --prefix js run lint

# Room for what is young: most of what pyright makes is dropped at once, and collecting it takes a tenth of its time.
types-python: .venv/made-test js/node_modules/made-packages ## types of the Python code
	NODE_OPTIONS=--max-semi-space-size=128 js/node_modules/.bin/pyright

types-js: js/node_modules/made-packages ## types of the TypeScript code
	npm --prefix js run typecheck

types: types-python types-js ## types of both languages

bench: .venv/made-test chromium ## the benchmarks, as tables of ratios
	$(PY) -m benchmarks

wheel: .venv/made-test ## sdist and wheel in dist/
	$(PY) -m build --no-isolation --outdir dist .

install: .venv/made-test ## the environment to work in: .venv, bundle, editable install

docs: .venv/made-test ## the reference, as pages in docs/_build
	$(PY) -m sphinx -q -W -b html docs docs/_build

screenshots: .venv/made-test chromium ## the pictures in docs/images, each view light and dark
	cd notebooks && PYTHONPATH=../src:../tests ../$(PY) -m notebooks.docs_pictures

chromium: .venv/made-test ## find a Chromium for the browser tests, or fetch one
	$(PY) tests/browser/chromium.py

clean: ## remove what make made
	rm -rf .venv .venv-lowest js/node_modules src/tauscope/static build dist docs/_build docs/generated

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Tauscope needs Python 3.11 or later; name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m venv .venv \
		|| { $(PYTHON) -m venv --without-pip .venv && $(PYTHON) -m pip --python $(PY) install pip; } \
		|| { test "$$(id -u)" = 0 && apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv .venv; } \
		|| { rm -rf .venv; echo "no virtual environment: install your system's python3-venv" >&2; exit 1; }
	@touch $@

js/node_modules/made-packages: js/package.json js/package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' \
		|| { echo "building Tauscope's page scripts needs Node 20 or later, with npm" >&2; exit 1; }
	npm --prefix js ci --no-audit --no-fund
	@touch $@

$(BUNDLE): js/node_modules/made-packages $(BUNDLED)
	npm --prefix js run build
	@touch $@

.venv/made-demo: .venv/made $(COPIED) | $(BUNDLE)
	$(PY) -m pip install -q -e '.[demo]'
	@touch $@

$(LAB_DEFAULTS): jupyter-config/demo/overrides.json .venv/made-demo
	@mkdir -p $(@D) && cp $< $@

.venv-lowest/made: pyproject.toml tests/architecture/lowest.py .venv/made
	@rm -rf .venv-lowest && mkdir .venv-lowest
	@if $(PY) -c 'import sys; sys.exit(sys.version_info >= (3, 13))'; then $(PY) -m venv --without-pip .venv-lowest \
		&& $(PY) -m pip --python $(LOWEST) install -q --only-binary=:all: $$($(PY) tests/architecture/lowest.py); fi
	@touch $@

.venv/made-test: .venv/made $(COPIED) | $(BUNDLE)
	$(PY) -m pip install -q -e '.[test]'
	@touch .venv/made-demo $@
