# Targets that explain themselves: bare `make` lists them.
GO ?= go
BIN := bin

# The race detector needs a C compiler; without one the tests run without it, and say so.
RACE := $(if $(shell command -v $$($(GO) env CC) 2>/dev/null),-race)

.DEFAULT_GOAL := help
.PHONY: help build judge serve test check proof bench fuzz clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build bin/conform and bin/refserver
	$(GO) build -trimpath -o $(BIN)/ ./cmd/...

judge: build ## Judge the embedded reference server, report on the screen
	$(BIN)/conform

serve: build ## Run the reference server on https://127.0.0.1:8443
	$(BIN)/refserver

test: check ## Check formatting, vet, staticcheck, then run every test, the proof included
	@$(if $(RACE),,echo "no C compiler here: the tests run without the race detector")
	$(GO) test $(RACE) -timeout 20m $$($(GO) list ./... | grep -v /proof$$)
	@$(MAKE) --no-print-directory proof

proof: ## Prove the verdict: every fault blamed on its rule alone, no dialect blamed
	$(GO) test -v -count=1 -timeout 30m ./proof

check: ## Formatting, vet and staticcheck alone
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (run gofmt -w):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

bench: ## Run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## Run each fuzz target for ten seconds
	@for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "== $$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime 10s $$package || exit 1; \
	  done; \
	done

clean: ## Remove what was built
	rm -rf $(BIN)
