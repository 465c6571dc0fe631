# Paravent: `make` lists what can be asked for.
#
# Everything is installed into .venv, inside this clone. A stamp file says that it is done, so a second run starts at
# once and asks nothing of the network.

.DEFAULT_GOAL := help
.PHONY: help play test lint docs looks pictures bench soak mutate dist constraints clean

PYTHON ?= python3
WORKERS ?= 2
BIN := .venv/bin

help: ## cette liste / this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

play: .venv/.play ## ouvrir une table (LAN=1 : téléphones, TERMINAL=1 : terminal) / open a table
ifdef TERMINAL
	@$(BIN)/paravent play
else
	@$(BIN)/paravent serve $(if $(LAN),--lan) $(if $(PORT),--port $(PORT)) $(SERVE)
endif

test: .venv/.dev ## tout vérifier : style, types, exemples, tests / check everything
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/pytest -n $(WORKERS) $(TESTS)

lint: .venv/.dev ## style et types seulement, avec leurs chiffres / style and types only, with their figures
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/python tools/figures.py --check tools/ceilings.json

docs: .venv/.dev ## construire la documentation dans site/ / build the documentation
	@$(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

looks: .venv/.dev ## photographier chaque page, et ce qu'axe y trouve / a picture of every page, and what axe finds
	@$(BIN)/python tools/looks.py build/looks --axe

pictures: .venv/.dev ## refaire les images des soirées pour la documentation / take the docs' pictures of evenings again
	@PARAVENT_TEST_ALL=1 PARAVENT_PICTURES=build/pictures $(BIN)/pytest -q -p no:xdist -m evening tests/web
	@mkdir -p docs/images/evenings; grep -o 'evenings/[a-z0-9-]*[.]webp' docs/evenings.md | sort -u | while read -r one; do \
		cp "build/pictures/$${one#evenings/}" "docs/images/$$one"; done

bench: .venv/.bench ## mesurer le noyau et ses pairs, le journal, le web / measure the kernel, the log and the web
	@$(BIN)/python -m bench
	@$(BIN)/python -m bench.cookbook
	@$(BIN)/python -m bench.store
	@$(BIN)/python -m bench.web
	@$(BIN)/python -m bench.evening
	@$(BIN)/python -m bench.roller
	@$(BIN)/python -m bench.examples
	@$(BIN)/python -m bench.crowd
	@$(BIN)/python -m bench.long

soak: .venv/.dev ## éprouver longtemps les propriétés / try the property tests for a long time
	@$(BIN)/pytest -n $(WORKERS) -m hypothesis --hypothesis-profile=soak $(TESTS)
	@seeds="$${PARAVENT_SEEDS:-$$(seq -s ' ' $$(date +%s) $$(($$(date +%s) + 199)))}"; \
		echo "soak: PARAVENT_SEEDS=\"$$seeds\""; PARAVENT_SEEDS="$$seeds" $(BIN)/pytest -n $(WORKERS) -k nobody_chose \
		tests/web/test_difference.py
	@$(BIN)/python -m tests.dice.made_up --minutes $(or $(MINUTES),30)
	@$(BIN)/python tests/store/kills.py 10000
	@PARAVENT_ROBOT="12 400" $(BIN)/pytest -n $(WORKERS) tests/web/test_robot.py

mutate: .venv/.dev ## chercher des fautes qui trahiraient et qu'aucun test ne voit / hunt for leaks no test sees
	@$(BIN)/python tools/mutate.py $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(AT)

dist: .venv/.dev ## construire le paquet (PARAVENT_HOME_URL=https://… : ses liens) / build the package, with its links
	@$(BIN)/python -m hatchling build -d dist

constraints: ## refaire constraints.txt d'une installation neuve / renew the tested versions
	@PYTHON=$(PYTHON) sh tools/constraints.sh

clean: ## effacer ce qui se refabrique ; .venv reste / remove what can be made again; .venv stays
	@rm -rf site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.play: pyproject.toml constraints.txt
	@PYTHON=$(PYTHON) sh tools/install.sh
	@touch $@

.venv/.dev: pyproject.toml constraints.txt
	@PYTHON=$(PYTHON) sh tools/install.sh dev
	@touch $@ .venv/.play

.venv/.bench: pyproject.toml constraints.txt
	@PYTHON=$(PYTHON) sh tools/install.sh dev bench
	@touch $@ .venv/.dev .venv/.play
