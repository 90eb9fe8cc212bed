# Targets that explain themselves: bare `make` lists them.
GO ?= go
BIN := bin
DIST := dist

# The race detector needs a C compiler; without one the tests run without it, and say so.
RACE := $(if $(shell command -v $$($(GO) env CC) 2>/dev/null),-race)

# Where it finds nothing, and takes minutes: the commands are tested as programs of their own,
# packages are written by one goroutine, and so is a report, faults are rows, and mutants run in programs of their own. The model's many seeds take ten
# times as long with it.
ALONE := /cmd/|/packages$$|/conformance/report$$|/refserver/faults$$|/proof/

# What `go vet` finds, `check` has found before: testing does not look again.
TEST := $(GO) test -vet=off -timeout 30m

# Tests of commands wait most of the time: there may be more of them than cores. Suites of
# Ginkgo refuse the flag.
WAITING := -parallel 8

.DEFAULT_GOAL := help
.PHONY: help build sums judge serve test test-race test-alone test-deploy check proof proof-all proof-full proof-whole matrix matrix-prune source-mutants witnesses hostile populated storm restarts stores proof-quick histories bench bench-default bench-peers fuzz release packages programs test-packages test-generators clean clean-dist

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build bin/conform and bin/refserver, as a release does
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)/ ./cmd/...

judge: build ## Judge the embedded reference server, report on the screen
	$(BIN)/conform --self

serve: build ## Run the reference server on https://127.0.0.1:8443
	$(BIN)/refserver

test: check ## Check formatting, vet, staticcheck, then run every test, the proof included
	@$(if $(RACE),,echo "no C compiler here: the tests run without the race detector")
	@$(MAKE) --no-print-directory -j2 test-race test-alone test-deploy proof

test-race:
	$(TEST) $(RACE) -short $$($(GO) list ./... | grep -vE '/proof$$|$(ALONE)')

test-alone:
	$(TEST) $(WAITING) ./conformance/model/... $$($(GO) list ./... | grep -E '$(ALONE)')

test-deploy:
	cd deploy && $(TEST) $(WAITING) ./...

test-packages: ## Install the packages in fresh folders and use them, also by jest, Playwright and mypy
	PACKAGES=all $(TEST) -count=1 -v ./packages

test-generators: ## Generate clients of the OpenAPI document by each generator, compile them and play a story beside the fake
	PACKAGES=all GENERATORS=all $(TEST) -count=1 -v ./packages -run TestGeneratedClientsPlayAStory

witnesses: ## Find a shortest story for each fault without one: in those of the others, or in WITNESS_FROM=file
	WITNESS_FROM=$(or $(abspath $(WITNESS_FROM)),/dev/null) $(GO) test -count=1 -v -timeout 1h ./refserver/faults -run TestFindWitnesses

proof: ## Prove the verdict: no dialect blamed, faults blamed on their rule alone, an eighth of them by turns of commits
	PROOF_TURN=$$(git rev-list --count HEAD 2>/dev/null || echo 0) $(GO) test -v -count=1 -timeout 30m ./proof

proof-all: ## The proof with every fault, not only this commit's eighth
	$(GO) test -v -count=1 -timeout 1h ./proof

proof-whole: ## The proof with every fault judged nine times and every reproduction run: takes hours
	PROOF_SHARE=all $(GO) test -v -count=1 -timeout 6h ./proof

proof-full: matrix ## The matrix, and valid servers for 1,000 minutes: takes hours
	DEEP_SHARES=1 DEEP_VALID=310s DEEP_AT_ONCE=12 $(GO) test -v -count=1 -timeout 6h ./proof -run TestNoDialectIsBlamedAtLength
	KEPT_SHARES=1 KEPT_STORIES=1 $(GO) test -v -count=1 -timeout 2h ./proof -run TestNoDialectIsBlamedByKeptStories

# What is measured is kept at once: after an interruption it goes on where it was. MATRIX_FAULT
# narrows it to names, MATRIX_SHARE=1/4 to a part, MATRIX_SINCE=2026-11-27 measures rows anew that are older.
matrix: ## Measure what is found of each fault that proof/matrix/matrix.tsv lacks, by five seeds and in a deep run: takes hours
	MATRIX_SEEDS=$${MATRIX_SEEDS:-5} MATRIX_DEEP=$${MATRIX_DEEP:-5m} $(GO) test -v -count=1 -timeout 48h ./proof -run 'TestMatrixIsRenewed$$'

matrix-prune: ## Take the rows out of the matrix whose fault is gone
	MATRIX_PRUNE=1 $(GO) test -v -count=1 ./proof -run 'TestMatrixNamesFaults$$'

source-mutants: ## Judge N=400 mutants of the reference server's source, drawn by SEED; DEEP=30s adds drawn stories for what a plain run does not find
	SOURCE_MUTANTS=$${N:-400} SOURCE_MUTANTS_SEED=$${SEED:-$$(date +%s)} SOURCE_MUTANTS_DEEP=$(DEEP) $(GO) test -v -count=1 -timeout 6h ./proof/sourcemutants -run 'TestSourceMutants$$'

hostile: ## Run the scripts of a hostile target for each rule, in every form; HTTPYAC names the program of httpYac
	HOSTILE=all $(GO) test -v -count=1 -timeout 2h ./cmd/conform -run TestScriptsOfHostileTargetsRunNothing

storm: ## The weather proof at length: 1,000 runs of a quarter of the scenarios each; STORM_RUNS and STORM_SEED change how many, and from which seed on
	STORM_RUNS=$${STORM_RUNS:-1000} $(GO) test -v -count=1 -timeout 3h ./proof -run TestWeatherIsNobodysFault

restarts: ## Judge the reference server with --data, --data-sync and in memory by stories with restarts, RESTART_SEEDS=20 seeds for RESTART_SECONDS=20 each, and find each fault of --data
	RESTART_SEEDS=$${RESTART_SEEDS:-20} RESTART_SECONDS=$${RESTART_SECONDS:-20} $(GO) test -v -count=1 -timeout 2h -parallel 3 ./proof -run TestRestarts

stores: ## Judge SQLite, bbolt and a plain file behind a small server by stories with restarts, STORES_FOR=30s each
	cd proof/stores && STORES_FOR=$${STORES_FOR:-30s} $(GO) test -v -count=1 -timeout 30m .

proof-quick: ## One fault for each rule, for the inner loop; PROOF_RULE='feed.*' narrows it further
	PROOF_QUICK=1 $(GO) test -v -count=1 ./proof -run TestEveryFaultIsBlamed

check: ## Formatting, vet and staticcheck alone
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted (run gofmt -w):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./... && $(GO) tool staticcheck ./...
	cd deploy && $(GO) vet ./... && $(GO) tool staticcheck ./...
	cd proof/stores && $(GO) vet ./...

populated: ## Judge a server that POPULATION=1000000 others use, as an empty one
	POPULATION=$${POPULATION:-1000000} $(GO) test -v -count=1 -timeout 1h ./cmd/conform -run TestPopulatedTargetsAreJudgedAsEmptyOnes

histories: ## Check a million concurrent operations of the reference server against a model
	HISTORIES=1000000 $(GO) test -v -count=1 -timeout 30m -run TestHistories ./refserver

bench-default: ## Measure the server as it is started, with journal, log and limits, in turns with bare net/http
	REFSERVER_SPEED_TURNS=$${TURNS:-20} $(GO) test -v -count=1 -run 'TestDefaultServerKeepsUpWithBareHTTP$$' ./cmd/refserver

bench-peers: ## Measure the server beside json-server, Mockoon and Prism, which PEERS=folder/node_modules/.bin names
	REFSERVER_PEERS=$(abspath $(PEERS)) $(GO) test -v -count=1 -run 'TestPeers$$' ./cmd/refserver

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

COMMANDS := conform refserver

release: programs ## Build both commands and the packages for every platform into dist/, with checksums, Debian packages and a Homebrew formula; RELEASE_KEY names the SSH key that signs them
	$(GO) run ./packages -programs $(DIST) -out $(DIST)
	@$(MAKE) --no-print-directory sums

sums: # of what is in dist/, signed where there is a key
	@cd $(DIST) && { sha256sum [!S]* 2>/dev/null || shasum -a 256 [!S]*; } > SHA256SUMS
	@cat $(DIST)/SHA256SUMS
	@if [ -n "$$RELEASE_KEY" ]; then ssh-keygen -q -Y sign -f "$$RELEASE_KEY" -n conform-release $(DIST)/SHA256SUMS; \
	else echo "SHA256SUMS is not signed: RELEASE_KEY names no SSH key"; fi

packages: COMMANDS := refserver
packages: PLATFORMS := $(shell $(GO) env GOOS)/$(shell $(GO) env GOARCH)
packages: programs ## Build the npm package and the Python wheel of refserver for this machine into dist/; PLATFORMS names others
	$(GO) run ./packages -programs $(DIST) -out $(DIST)

programs: clean-dist
	@mkdir -p $(DIST)
	@for platform in $(PLATFORMS); do for command in $(COMMANDS); do \
	  os=$${platform%/*} arch=$${platform#*/} suffix=; if [ $$os = windows ]; then suffix=.exe; fi; \
	  echo "$$command for $$platform"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -buildvcs=true -ldflags '-s -w -buildid=' \
	    -o $(DIST)/$$command-$$os-$$arch$$suffix ./cmd/$$command || exit 1; \
	done; done

clean: clean-dist ## Remove what was built
	rm -rf $(BIN)

clean-dist:
	@rm -rf $(DIST)
