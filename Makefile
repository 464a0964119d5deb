# Two commands: `make demo` and `make test`. Each sets up .venv first if it is not there yet.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.installed
# Two spinning OpenMP threads on a busy machine can be a hundred times slower than one.
export OMP_NUM_THREADS ?= 1

.PHONY: help setup demo test torture elsewhere sanitize lint docs pictures bench clean
help:
	@echo "make demo   set up, count cycles with and without OGE-Aug, draw a picture (out/demo)"
	@echo "make test   set up, run all tests"
	@echo "make torture  set up, try the promises of docs/reliability.md many times (minutes)"
	@echo "make elsewhere  set up, run all tests with another home, locale, terminal and folder (long)"
	@echo "make sanitize  set up, run the tests of the C++ core under AddressSanitizer and UBSan (minutes)"
	@echo "make lint   set up, run ruff and mypy"
	@echo "make docs   set up, write the documentation as a site into site/"
	@echo "make pictures  set up, draw the pictures of pages that need no training (seconds)"
	@echo "make bench  set up, print the benchmark tables"

setup: $(SETUP)

$(SETUP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v < (3, 14) else f"Python 3.11 to 3.13 is needed, this is {v[0]}.{v[1]}: run  make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: $(SETUP)
	$(BIN)/python examples/demo.py

test: $(SETUP)
	$(BIN)/python -m pytest -n 2

torture: $(SETUP)
	OGEAUG_TORTURE=1 $(BIN)/python -m pytest -n 2 -m torture

elsewhere: $(SETUP)
	OGEAUG_ELSEWHERE=1 $(BIN)/python -m pytest tests/test_machine.py

# The C++ core with AddressSanitizer and UBSan, whose libraries must be there before Python is.
SANITIZER = $(shell gcc -print-file-name=libasan.so) $(shell gcc -print-file-name=libubsan.so)
sanitize: $(SETUP)
	env OGEAUG_SANITIZE=1 CXX=g++ LD_PRELOAD="$(SANITIZER)" UBSAN_OPTIONS=print_stacktrace=1 \
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 $(BIN)/python -m pytest \
		tests/native tests/tensors/compiled tests/spectrum/solvers/test_native.py tests/tensors/test_paths.py \
		tests/pointclouds/test_compiled.py

lint: $(SETUP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(SETUP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

pictures: $(SETUP)
	$(BIN)/python docs/pictures/draw.py

bench: $(SETUP)
	$(BIN)/python -m benchmarks.preparation
	$(BIN)/python -m benchmarks.encoder
	$(BIN)/python -m benchmarks.training_step
	$(BIN)/python -m benchmarks.loader
	$(BIN)/python -m benchmarks.bf16

clean:
	rm -rf $(VENV) build dist out site .pytest_cache .mypy_cache .ruff_cache .hypothesis
