# `make help` lists the targets. PYTHON picks the interpreter (3.11 or newer), VENV the folder of the environment.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: demo test lint types tests lowest bench bundle site dist golden suites accuracy backtest fuzz help clean

demo: $(VENV)/installed  ## split real networks, measure, submit, and read an estimate beside its measurement (two minutes)
	rm -rf demo
	$(BIN)/dlbricks demo $(addprefix suites/networks/,tv_resnet18.onnx tv_squeezenet1_1.onnx hf_distilbert.onnx)

test: $(VENV)/installed lint types tests  ## lint, types and tests: what has to pass before a change lands

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed
	$(BIN)/mypy --num-workers $(JOBS)

tests: $(VENV)/installed
	$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# splitting, measuring, composing and each extra; all else asserts what newer releases of onnx and onnxruntime answer
LOWEST ?= $(addprefix tests/,sequences/test_splitters.py suite/test_generate.py harness/test_run.py harness/test_cpu_counters.py \
	construct/test_compose.py construct/test_estimate.py construct/test_comparison.py validate/test_h200.py store/test_store_database.py store/test_postgresql.py \
	robustness/test_packed.py report plugins/dask cli/test_cli_chain.py cli/test_cli_estimate.py cli/test_cli_quick.py cli/test_cli_openvino.py)
lowest:  ## run tests of each extra with the lowest versions that pyproject.toml allows, in an environment beside VENV; Python 3.11 or 3.12
	$(PYTHON) -m venv $(VENV)-lowest
	$(VENV)-lowest/bin/pip install --quiet --disable-pip-version-check uv
	$(VENV)-lowest/bin/uv pip compile --quiet --resolution lowest-direct --python $(VENV)-lowest/bin/python \
		$(addprefix --extra ,cpu dask openvino parquet perf postgresql report) -o $(VENV)-lowest/lowest.txt pyproject.toml
	$(VENV)-lowest/bin/pip install --quiet --disable-pip-version-check -c $(VENV)-lowest/lowest.txt -e '.[dev]'
	$(VENV)-lowest/bin/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(LOWEST)

bench: $(VENV)/installed  ## measure speed and memory; prints the table and writes it to benchmarks/results.md
	$(BIN)/python benchmarks/bench.py

golden: $(VENV)/installed  ## rewrite golden files, JSON Schemas and the list of rules from the templates and the code
	$(BIN)/pytest -q tests/suite tests/test_generated_docs.py --golden

suites: $(VENV)/installed  ## rebuild the published folder suites/smoke from its recipe, and lay what runs it beside it
	$(BIN)/python suites/recipes/build.py

bundle: $(VENV)/installed  ## write the systems that ship with the package from the runs in suites/results; measures nothing
	$(BIN)/python benchmarks/bundle.py

site: $(VENV)/installed  ## write pages of the systems that ship with the package to the folder site, with a ranking; measures nothing
	$(BIN)/dlbricks site bundle:dlbricks/store/systems.json.xz -o site --title "Systems that ship with dlbricks" --model suites/networks --dim batch=1 --dim seq=64

dist: $(VENV)/installed  ## build wheel and source distribution into the folder dist
	rm -rf dist
	$(BIN)/hatchling build

accuracy: $(VENV)/installed  ## recompute the figures of docs/accuracy.md from the runs in suites/results; measures nothing
	$(BIN)/python benchmarks/accuracy.py

backtest: $(VENV)/installed  ## predict the pairs of traces in the folder DLBRICKS_TRACES; writes errors, docs/evidence.md and the table of docs/performance.md
	@test -d "$(DLBRICKS_TRACES)" || { echo "set DLBRICKS_TRACES to the folder of traces (docs/evidence.md)" >&2; exit 2; }
	$(BIN)/python benchmarks/whatif.py tables --own --traces "$(DLBRICKS_TRACES)"

fuzz: $(VENV)/installed  ## feed changed files to every verb for an hour; finds go to tests/robustness/regressions.json
	$(BIN)/python -m tests.robustness.fuzz --seconds 3600

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

clean:  ## remove the environment and what demo, site and dist wrote
	rm -rf $(VENV) $(VENV)-lowest demo site dist

# without --no-compile pip compiles every module of every package, for 20 s; Python compiles what it imports
$(VENV)/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "dlbricks needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e '.[dev]'
	touch $@
