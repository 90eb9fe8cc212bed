# Targets that explain themselves: bare `make` lists them.
GO ?= go
BIN := bin
DIST := dist

# The race detector needs a C compiler; without one the tests run without it, and say so.
RACE := $(if $(shell command -v $$($(GO) env CC) 2>/dev/null),-race)

.DEFAULT_GOAL := help
.PHONY: help build judge serve test check proof bench fuzz release clean clean-dist

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

# Whatever could differ from one machine to the next is left out: paths, C libraries, build
# ids. The version is that of the commit: its tag, or one that Go makes of it.
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

release: clean-dist ## Build both commands for every platform into dist/, with checksums
	@for platform in $(PLATFORMS); do for command in conform refserver; do \
	  os=$${platform%/*} arch=$${platform#*/} suffix=; if [ $$os = windows ]; then suffix=.exe; fi; \
	  echo "$$command for $$platform"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -buildvcs=true -ldflags '-s -w -buildid=' \
	    -o $(DIST)/$$command-$$os-$$arch$$suffix ./cmd/$$command || exit 1; \
	done; done
	@cd $(DIST) && { sha256sum conform-* refserver-* 2>/dev/null || shasum -a 256 conform-* refserver-*; } > SHA256SUMS
	@cat $(DIST)/SHA256SUMS

clean: clean-dist ## Remove what was built
	rm -rf $(BIN)

clean-dist:
	@rm -rf $(DIST)
