# The verbs of this project; CI calls the same ones. Only Python >= 3.11 and make are assumed.
#
#   make serve     set up, build what changed, serve on http://127.0.0.1:8000
#   make test      set up, build, run every test
#   make test-all  the same with every program, many more draws, and everything measured anew
#   make build     set up and build only; prints what each step took
#   make dev       serve with hot reload of articles, figures and labs
#   make check     ruff, mypy --strict, svelte-check, astro check, prettier
#   make soak      the chaos tests of scaling out for longer: processes killed, Redis away
#   make bench     print the numbers that the README promises
#   make record    run every lab with its default parameters and write content/recordings
#   make screenshot  take the README's picture from the running page
#   make shots     write tests/e2e/shots and the cards anew, how every figure looks
#   make contract  regenerate frontend/src/generated from the labs
#   make lock      resolve requirements/*.txt anew (needs uv)

PYTHON ?= python3
BIN    := .venv/bin
STAMP  := .venv/.stamp
CACHE  ?= $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/underhood
export PATH := $(CURDIR)/$(BIN):$(PATH)
export ASTRO_TELEMETRY_DISABLED := 1

# Lab pages show the source of native labs, too, and Pyodide gets the data of the portable ones.
LABS  := $(shell find wasm/labs backend/native -name '*.py' -o -name '*.npz' -o -name '*.json')
SITE  := $(shell find frontend content -type f -not -path '*/node_modules/*' -not -path '*/dist/*' \
           -not -path '*/.astro/*' -not -path 'frontend/public/pyodide/*' -not -path 'frontend/public/labs/*' -not -path 'frontend/near/*' -not -path '*/device/built/*') \
         $(wildcard wasm/kernels/*.wgsl)
PACKED := frontend/public/labs/labs.json
NEAR   := $(STAMP)/near

.PHONY: serve test test-all soak build dev check bench record contract screenshot shots lock clean
serve: build
	$(BIN)/underhood serve

test: build $(STAMP)/chromium $(STAMP)/programs $(STAMP)/cuda-tests $(STAMP)/bytecode
	$(BIN)/pytest -n auto --dist loadgroup --no-loadscope-reorder --durations 20 $(ARGS)

test-all: ARGS += --all
test-all: test

soak: $(STAMP)/python $(STAMP)/programs
	$(BIN)/pytest -s tests/soak

build: frontend/dist/index.html

dev: $(STAMP)/python $(STAMP)/node $(STAMP)/pyodide $(STAMP)/kernels $(PACKED)
	$(BIN)/python scripts/dev.py

check: $(STAMP)/python $(STAMP)/node
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy frontend/src/runner/sandbox/cell.py
	$(BIN)/pytest -q tests/layout tests/contract
	cd frontend && npm run --silent check

bench: build $(STAMP)/chromium
	$(BIN)/python scripts/bench.py

record: $(STAMP)/python
	$(BIN)/underhood record $(ARGS)

contract: $(STAMP)/python $(STAMP)/node
	$(BIN)/python -m underhood.author.generate

screenshot: build $(STAMP)/chromium
	$(BIN)/python scripts/screenshot.py

shots: build $(STAMP)/chromium
	UNDERHOOD_SHOTS=write $(BIN)/pytest tests/e2e/test_shots.py tests/e2e/test_cards.py $(ARGS)

lock:
	uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --extra dev --extra scale \
	  pyproject.toml requirements/torch-needs.in -o requirements/base.txt
	echo 'torch==2.13.0' | uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
	  - -o requirements/torch-cuda.txt
	uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
	  requirements/cuda-tests.in -o requirements/cuda-tests.txt

clean:
	rm -rf .venv frontend/node_modules frontend/dist frontend/.astro frontend/public/pyodide frontend/public/labs frontend/near

# -- set-up, each step once per lock file ------------------------------------------------------------------

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Underhood needs Python 3.11 or newer; point PYTHON at one: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv

$(STAMP)/python: requirements/base.txt requirements/torch-cpu.txt requirements/torch-cuda.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q --require-hashes -r requirements/base.txt
	$(BIN)/python scripts/install_torch.py
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@mkdir -p $(STAMP) && touch $@

# What compiles kernels for a GPU, without one: for the tests alone. Torch's CUDA build brings the same versions along.
$(STAMP)/cuda-tests: requirements/cuda-tests.txt $(STAMP)/python
	$(BIN)/python -m pip install -q --require-hashes -r requirements/cuda-tests.txt
	@mkdir -p $(STAMP) && touch $@

# Tests start hundreds of Pythons, also where Python is told to write no bytecode: there each would compile all labs.
# It holds for the source that it was made from, whatever the clock says of a file that a test rewrites.
$(STAMP)/bytecode: $(shell find backend wasm -name '*.py') $(STAMP)/python
	$(BIN)/python -m compileall -q --invalidation-mode checked-hash backend wasm
	@mkdir -p $(STAMP) && touch $@

# npm's lock file carries a hash of every package; `ci` installs exactly those.
$(STAMP)/node: frontend/package-lock.json $(STAMP)/python
	cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(STAMP) && touch $@

$(STAMP)/pyodide: scripts/fetch_pyodide.py scripts/snapshot.mjs frontend/src/runner/snapshot.ts $(STAMP)/node
	$(BIN)/python scripts/fetch_pyodide.py --cache $(CACHE)
	node scripts/snapshot.mjs
	@mkdir -p $(STAMP) && touch $@

$(STAMP)/chromium: scripts/find_chromium.py $(STAMP)/python
	$(BIN)/python scripts/find_chromium.py
	@mkdir -p $(STAMP) && touch $@

$(STAMP)/programs: scripts/find_program.py
	$(BIN)/python scripts/find_program.py
	@mkdir -p $(STAMP) && touch $@

$(STAMP)/kernels: scripts/build_kernels.py $(shell find backend/native -name '*kernel.py') $(wildcard wasm/kernels/*) $(STAMP)/python
	$(BIN)/python scripts/build_kernels.py
	@mkdir -p $(STAMP) && touch $@

$(PACKED): scripts/pack_labs.py backend/underhood/author/notebook.py $(LABS) $(STAMP)/python
	$(BIN)/python scripts/pack_labs.py
	@touch $@

# Runs with settings beside a lab's own, of the labs that have changed.
$(NEAR): backend/underhood/near.py backend/underhood/record.py $(LABS) $(STAMP)/python
	$(BIN)/python -m underhood.near frontend/near
	@touch $@

frontend/dist/index.html: $(STAMP)/python $(STAMP)/node $(STAMP)/pyodide $(STAMP)/kernels $(PACKED) $(NEAR) $(SITE)
	cd frontend && npm run --silent build
	@touch $@
