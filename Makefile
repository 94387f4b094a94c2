# parley is built, tested and checked from here; `make` alone lists what there is.
#
# Nothing here downloads a program. The linter and govulncheck are built from source at the versions of
# tools/go.mod, once, and kept in Go's build cache; Node packages come from interop's lock file. What is not yet
# in the module cache or in node_modules is fetched; after that all but `make vuln` works offline.

.DEFAULT_GOAL := help
# The steps share the cores already, and their reports must not mix.
.NOTPARALLEL:

# The Go settings of whoever calls do not change what is built: no -mod=mod that edits go.mod, no workspace of a
# parent folder. The version is stamped below rather than by -buildvcs, which fails where git distrusts the
# owner of the folder, as it does in many containers. `make GOFLAGS=... target` still overrides.
export GOFLAGS := -mod=readonly -buildvcs=false
export GOWORK := off

# parley version says this; the commands fall back on the build information when it is empty.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)

# How long each fuzz target is fuzzed: a duration, or 1000x for a number of inputs.
FUZZTIME ?= 10s
# Which benchmarks run, and how often.
BENCH ?= .
BENCHCOUNT ?= 1

# The modules of this repository. All are linted and tested; only the first is the product.
MODULES := . tools interop

# Outside macOS the race detector needs a C compiler, which the README does not ask for. go env gives
# CGO_ENABLED=0 when there is none; the tests then run without the detector, and `make test` says so.
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED 2>/dev/null)),-race)

# Tools of other people run as go tool runs them: built when there is no build of this version by this Go.
TOOL := go tool -modfile='$(CURDIR)/tools/go.mod'
LINT := $(TOOL) golangci-lint

# testsum runs one stream of test events after another and ends with the number of tests that ran. The test
# cache is off (-count=1): a test that starts programs or reads the tree depends on more than go test can see.
TESTSUM = bin/tools/testsum
# A package that hangs is given up after five minutes, and shows its stacks.
GOTEST = test -json -count=1 -timeout 5m

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: need-go ## build bin/parley
	go build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/ ./cmd/parley

.PHONY: demo
demo: build ## show what parley does, in memory and against a real child process (needs only Go)
	@bin/parley demo

.PHONY: test
test: need-all build lint cross node_modules tools ## build, lint and pass every test but those with the Claude Agent SDK
	@$(if $(RACE),,echo "No C compiler: the tests run without the race detector (Debian: apt-get install gcc).")
	@$(TESTSUM) -- go $(GOTEST) $(RACE) ./... \
		-- go -C tools $(GOTEST) ./... \
		-- go -C interop $(GOTEST) ./... \
		-- bin/tools/fuzz -time $(FUZZTIME) ./...

.PHONY: lint
lint: need-go ## check all modules with golangci-lint, formatting included
	@echo "golangci-lint: where it has not been built yet, that takes a minute or two"
	@for module in $(MODULES); do \
		echo "lint $$module"; \
		(cd $$module && $(LINT) run --config '$(CURDIR)/.golangci.yml' ./...) || exit 1; \
	done

.PHONY: fmt
fmt: need-go ## format all modules
	@for module in $(MODULES); do \
		(cd $$module && $(LINT) fmt --config '$(CURDIR)/.golangci.yml') || exit 1; \
	done

.PHONY: cross
cross: need-go ## build and vet for the systems that this one is not
	@for os in darwin windows; do \
		echo "cross $$os"; \
		GOOS=$$os CGO_ENABLED=0 go build ./... && GOOS=$$os CGO_ENABLED=0 go vet ./... || exit 1; \
	done

.PHONY: fuzz
fuzz: tools ## fuzz every fuzz target for FUZZTIME (10s)
	@$(TESTSUM) -- bin/tools/fuzz -time $(FUZZTIME) ./...

.PHONY: interop
interop: need-all build node_modules tools ## test against real programs of other people
	@$(TESTSUM) -- go -C interop $(GOTEST) ./...

# The Claude Agent SDK is not open source. It is installed by itself, and without its optional packages, which are
# Claude Code.
.PHONY: interop-claude
interop-claude: need-all interop/claude/node_modules/.installed tools ## test an agent of ours against the Claude Agent SDK; CI runs it too
	@$(TESTSUM) -- go -C interop $(GOTEST) -tags claude -run Claude ./claude

.PHONY: interop-codex
interop-codex: need-all ## test against codex app-server, which is 400 MB to fetch; CI does not
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	npm install --prefix "$$folder" --ignore-scripts --no-audit --no-fund @openai/codex@0.171.0 && \
	PATH="$$folder/node_modules/.bin:$$PATH" go -C interop test -tags codex -count=1 -timeout 5m -v -run '^TestCodex$$' .

# How long make soak runs. Without the race detector, whose own memory grows; with it, a short soak is in make test.
SECONDS ?= 60

.PHONY: soak
soak: need-go ## random traffic with random faults for SECONDS (60): nothing is lost, nothing grows
	go test -count=1 -timeout $$(($(SECONDS) + 300))s -run '^TestSoak$$' -v . -soak $(SECONDS)s

.PHONY: bench
bench: need-go ## run the benchmarks that match BENCH (.), each BENCHCOUNT (1) times
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(BENCHCOUNT) ./...

.PHONY: cover
cover: need-go ## measure which statements the tests reach; bin/cover.html shows them
	@mkdir -p bin
	go test -count=1 -coverpkg ./... -coverprofile bin/cover.out ./...
	@go tool cover -html bin/cover.out -o bin/cover.html
	@go tool cover -func bin/cover.out | tail -n 1

.PHONY: vuln
vuln: need-go ## look for known vulnerabilities (needs the network, so make test leaves it out)
	$(TOOL) govulncheck ./...

.PHONY: clean
clean: ## remove what the targets above have built and installed
	rm -rf bin interop/node_modules interop/claude/node_modules

# What follows has no place in the list above: the others ask for it.

.PHONY: need-go need-all
need-go:
	@tools/need.sh go
need-all:
	@tools/need.sh go git node npm

# Our own tools are cheap to build, and go build knows best when they are out of date.
.PHONY: tools
tools: need-go
	@go -C tools build -o ../bin/tools/ ./testsum ./fuzz

# npm writes what it installed into node_modules; our stamp says that it came to an end. Install scripts of
# packages do not run: no program that we test against needs one.
.PHONY: node_modules
node_modules: interop/node_modules/.installed
interop/node_modules/.installed: interop/package.json interop/package-lock.json
	@tools/need.sh node npm
	cd interop && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

interop/claude/node_modules/.installed: interop/claude/package.json interop/claude/package-lock.json
	@tools/need.sh node npm
	cd interop/claude && npm ci --omit=optional --ignore-scripts --no-audit --no-fund
	@touch $@
