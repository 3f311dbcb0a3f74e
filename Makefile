# bohier: `make` or `make help` lists the targets.

GO      ?= go
BIN     := bin
BIN_DIR := $(CURDIR)/$(BIN)

# Pinned tools, built from source by the go command; nothing to install.
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
VULN     := golang.org/x/vuln/cmd/govulncheck@v1.3.0

# Without git (a source archive) the version is "dev".
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
# No paths of this machine in what is built; debug information, which -w drops, is not made.
FLAGS   := $(strip $(shell $(GO) env GOFLAGS) -trimpath -gcflags=all=-dwarf=false)
# TAGS=postgres: with journals in PostgreSQL, which add half to the program's size.
TAGS    ?=
BUILD    = CGO_ENABLED=0 GOFLAGS="$(FLAGS)" $(GO) build -tags '$(TAGS)' -ldflags '$(LDFLAGS)'

# What releases are built for, as OS/ARCHITECTURE.
PLATFORMS := $(foreach os,linux darwin windows,$(os)/amd64 $(os)/arm64)
DIST      := dist

# Where `make install` puts things: PREFIX=/usr/local for everybody.
PREFIX   ?= $(HOME)/.local

# More than there are processors, since the tests of processes and of PostgreSQL mostly wait;
# at most eleven, for their memory.
AT_ONCE := $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n < 8 ? n + 3 : 11)))

# A program of bench in place of the shell, so that who ends make ends it, too: not the
# go command, which would leave it behind.
run = $(GO) build -o $(BIN)/bench/$(1) ./bench/cmd/$(1) && exec $(BIN)/bench/$(1)

# The packages of both modules: bench is one of its own, which go.work joins.
ALL := ./... ./bench/...

FUZZTIME ?= 30s
TIME     ?= 60m
BENCH    ?= .

.DEFAULT_GOAL := help

##@ Everyday

.PHONY: help
help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} \
	  /^##@/ {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z-]+:.*## / {printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/bohier (static, reproducible); TAGS=postgres: with journals in PostgreSQL
	$(BUILD) -o $(BIN)/bohier ./cmd/bohier

.PHONY: blackbox
blackbox: ## build bin/blackbox, the server of the benchmark problems
	$(BUILD) -o $(BIN)/blackbox ./bench/cmd/blackbox

.PHONY: install
install: build extras ## install bohier, its manual pages and completions under PREFIX (default ~/.local)
	install -d "$(PREFIX)/bin" "$(PREFIX)/share/man/man1" "$(PREFIX)/share/bash-completion/completions" \
	  "$(PREFIX)/share/zsh/site-functions" "$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 $(BIN)/bohier "$(PREFIX)/bin/bohier"
	install -m 644 $(DIST)/man/*.1 "$(PREFIX)/share/man/man1/"
	install -m 644 $(DIST)/completions/bohier.bash "$(PREFIX)/share/bash-completion/completions/bohier"
	install -m 644 $(DIST)/completions/_bohier "$(PREFIX)/share/zsh/site-functions/_bohier"
	install -m 644 $(DIST)/completions/bohier.fish "$(PREFIX)/share/fish/vendor_completions.d/bohier.fish"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'add to PATH: export PATH="$(PREFIX)/bin:$$PATH"' ;; esac

.PHONY: demo
demo: build ## tune a real command: examples/compress against xz -9e and random search
	BOHIER=$(BIN_DIR)/bohier DEMO_DIR=$(BIN_DIR)/demo sh examples/compress/demo.sh

##@ Checks

# Collecting no garbage below 700 MiB takes a quarter off the time of compiling and a sixth
# off that of tests; test programs without symbol tables link in half the time. Vetting, half
# a minute more, is left to `make lint`. FLAGS in the environment: builds by tests share what
# `make build` compiled.
.PHONY: test
test race lint vuln test-postgres: TAGS := postgres
test: export GOGC := off
test: export GOMEMLIMIT := 700MiB
test: build ## formatting, all tests, and the way from a clone to a first result: what continuous integration runs
	@bad=$$("$$($(GO) env GOROOT)/bin/gofmt" -s -l .); \
	  if [ -n "$$bad" ]; then echo "not gofmt -s clean (gofmt -s -w FILE):"; echo "$$bad"; exit 1; fi
	[ ! -e .git ] || PREBUILT=$(BIN_DIR)/bohier .ci/first-result >/dev/null & first=$$!; \
	  BOHIER_PROGRAM=$(BIN_DIR)/bohier CGO_ENABLED=0 GOFLAGS="$(FLAGS)" $(GO) test -vet=off -tags '$(TAGS)' -ldflags="-s -w" \
	    -p $(AT_ONCE) -parallel $(AT_ONCE) -timeout 8m ./cmd/bohier ./internal/pgstore ./internal/journal $(ALL); \
	  tested=$$?; wait $$first && exit $$tested

.PHONY: test-postgres
test-postgres: ## journals in PostgreSQL, at full length: kill storms, restarts, a bad network (needs the server; an hour)
	BOHIER_SOAK=1 $(GO) test -tags '$(TAGS)' -count=1 -timeout 2h -v -run 'Postgres|Store|Locations' ./internal/pgstore ./cmd/bohier ./examples

.PHONY: race
race: ## all tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -tags '$(TAGS)' -race -timeout 30m $(ALL)

.PHONY: lint
lint: ## golangci-lint (first run builds it: minutes)
	$(GO) run $(GOLANGCI) run --build-tags '$(TAGS)' $(ALL)

.PHONY: vuln
vuln: ## known vulnerabilities in the code we call (needs the network, or VULNDB=file:///DIR, a copy of the database)
	$(GO) run $(VULN) -tags '$(TAGS)' $(if $(VULNDB),-db $(VULNDB)) $(ALL)

.PHONY: cover
cover: ## test coverage: the total, and cover.out for go tool cover -html
	$(GO) test -timeout 15m -coverpkg=./... -coverprofile=cover.out $(ALL)
	$(GO) tool cover -func=cover.out | tail -n 1

.PHONY: fuzz
fuzz: ## run every fuzz test for FUZZTIME (default 30s) each
	@set -e; found=0; \
	for f in $$(grep -rl --include='*_test.go' '^func Fuzz' .); do \
	  for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$f"); do \
	    found=1; echo "== $$name in $$(dirname "$$f")"; \
	    $(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$(dirname "$$f")"; \
	  done; \
	done; [ $$found = 1 ] || { echo "no fuzz test found"; exit 1; }

.PHONY: soak
soak: ## two hosts on a network file system, every test at full length, then the journal's and all fuzz tests with fresh seeds until TIME (default 60m) is up; ONLY=Fuzz picks some
	$(GO) run ./bench/cmd/soak -time $(TIME) -only '$(ONLY)'

##@ Replications (docs/replications.md)

.PHONY: replicate-regression
replicate-regression: ## regression studies of Oh et al. and Swersky et al.; DATA=dir, ARGS=-quick
	@mkdir -p $(BIN)
	$(call run,replicate) regression -data "$(DATA)" -o $(BIN)/regression.jsonl $(ARGS)

.PHONY: replicate-zaefferer
replicate-zaefferer: ## models and searches of Zaefferer & Horn; hours, ARGS=-quick minutes
	@mkdir -p $(BIN)
	$(call run,replicate) zaefferer -o $(BIN)/zaefferer.jsonl -pictures $(BIN)/zaefferer $(ARGS)

.PHONY: replicate-fm
replicate-fm: ## searches of Oh et al.; DATA=dir adds NuSVR and XGBoost; hours, ARGS=-quick minutes
	sh bench/fm/replicate $(ARGS)

.PHONY: replicate-swersky
replicate-swersky: ## Table 1 of Swersky et al.; DATA=dir, ARGS=-quick
	@mkdir -p $(BIN)
	$(call run,replicate) regression -problems swersky -data "$(DATA)" -o $(BIN)/regression.jsonl $(ARGS)

.PHONY: replicate
replicate: replicate-regression replicate-zaefferer replicate-fm replicate-swersky ## all of them

##@ Releases

.PHONY: cross
cross: ## build for every platform into dist/OS-ARCH, with PostgreSQL into dist/postgres-OS-ARCH (the first time: minutes)
	@set -e; for p in $(PLATFORMS); do \
	  os=$${p%/*}; arch=$${p#*/}; ext=; [ $$os != windows ] || ext=.exe; \
	  echo "$$os-$$arch"; export GOOS=$$os GOARCH=$$arch; \
	  $(BUILD) -o $(DIST)/$$os-$$arch/bohier$$ext ./cmd/bohier; \
	  $(BUILD) -tags postgres -o $(DIST)/postgres-$$os-$$arch/bohier$$ext ./cmd/bohier; \
	done

# The time of the commit, so that the same commit gives the same bytes.
COMMITTED = $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

.PHONY: extras
extras: build ## manual pages and completions into dist/
	@mkdir -p $(DIST)/completions
	SOURCE_DATE_EPOCH=$(COMMITTED) CGO_ENABLED=0 $(GO) run -trimpath -tags man -ldflags '$(LDFLAGS)' ./cmd/bohier man $(DIST)/man
	$(BIN)/bohier completion bash > $(DIST)/completions/bohier.bash
	$(BIN)/bohier completion zsh > $(DIST)/completions/_bohier
	$(BIN)/bohier completion fish > $(DIST)/completions/bohier.fish
	$(BIN)/bohier completion powershell > $(DIST)/completions/bohier.ps1

.PHONY: packages
packages: cross extras ## Python wheels, deb and rpm packages, and a container image, into dist/ (needs python3 and podman or buildah for the first and last)
	packaging/build "$(VERSION)" "$(COMMITTED)"

.PHONY: dist
dist: packages ## archives for every platform, bohier-… and bohier-postgres-…, with manual pages, completions and SHA256SUMS (GNU tar)
	@set -e; cd $(DIST); rm -f *.tar.gz SHA256SUMS; \
	for p in $(subst /,-,$(PLATFORMS) $(PLATFORMS:%=postgres-%)); do \
	  name=bohier-$(VERSION)-$$p; case $$p in postgres-*) name=bohier-postgres-$(VERSION)-$${p#postgres-};; esac; \
	  rm -rf $$name; mkdir $$name; \
	  cp -R $$p/. man completions ../README.md ../CHANGELOG.md $$name/; \
	  for f in ../LICENSE*; do [ ! -e "$$f" ] || cp "$$f" $$name/; done; \
	  tar --sort=name --mtime=@$(COMMITTED) --owner=0 --group=0 --numeric-owner --mode=u+w,go-w -cf - $$name | gzip -n9 > $$name.tar.gz; \
	  rm -rf $$name; \
	done; sha256sum *.tar.gz > SHA256SUMS; cat SHA256SUMS

##@ Measuring and maintaining

.PHONY: bench
bench: ## benchmarks matching BENCH (default all)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(ALL)

.PHONY: ablate
# Problems that nothing was chosen on: random trees, and tasks of YAHPO Gym where DATA is a
# directory with yahpo.py ("spec" prints the problems, "serve NAME" evaluates one).
comma := ,
ABLATED = $(shell seq -s, -f 'tree_%g' 1001 1008),$(shell seq -s, -f 'neartie_%g' 1001 1004)
ABLATED_TASKS = xgb_1480,xgb_1487,xgb_41143,xgb_41212,lc_168908,lc_189354
PYTHON ?= python3
ablate: ## leave out one rule of the policy at a time, on random trees; on YAHPO Gym, too, with DATA=its directory (hours, goes on where it stopped)
	@mkdir -p bin; $(if $(DATA),$(PYTHON) $(DATA)/yahpo.py spec >bin/ablate-spec.json)
	$(call run,arena) -seeds 1-4 -n 50 -problems $(ABLATED)$(if $(DATA),$(comma)$(ABLATED_TASKS) -spec bin/ablate-spec.json -serve "$(PYTHON) $(DATA)/yahpo.py serve") \
	  -variant default= -variant "plain=policy: plain" -without all -o bin/ablate.jsonl
	$(call run,versus) -table -b default bin/ablate.jsonl

.PHONY: families
# Each setting that a study may change beside the default, and random search; peers where
# bin/peers-venv, which `make compare` makes, has them.
FAMILIES = -variant default= -variant 'constant=surrogate: {mean: constant}' -variant 'linear=surrogate: {mean: linear}' \
  $(foreach t,none log copula power,-variant '$(t)=objective: {name: f, direction: minimize, transform: $(t)}') \
  -variant 'plain=policy: plain'
KINDS ?= chosen
SEEDS ?= 5
families: ## kinds of objective, the cells first in which the default is furthest behind: KINDS=chosen|held|all|names, SEEDS=5 (hours, goes on where it stopped)
	@mkdir -p bin; $(GO) build -o $(BIN)/bench/arena ./bench/cmd/arena && $(GO) build -o $(BIN)/bench/compare ./bench/cmd/compare
	$(BIN)/bench/arena -kinds $(KINDS) -seeds 1-$(SEEDS) -n 80 -random $(FAMILIES) -o bin/families.jsonl >/dev/null
	[ ! -x bin/peers-venv/bin/python ] || $(BIN)/bench/compare -kinds $(KINDS) -seeds $(SEEDS) -n 80 -peers optuna-tpe,cma,smac-hpo -o bin/families-peers.jsonl
	$(call run,versus) -worst $$(ls bin/families.jsonl bin/families-peers.jsonl 2>/dev/null)

.PHONY: compare compare-quick
compare: ## other optimizers beside bohier on the problems, and on YAHPO Gym with DATA=its directory (a virtual environment; days, goes on where it stopped)
	DATA="$(DATA)" sh bench/peers/compare $(ARGS)
compare-quick: ## the same with few problems, seeds and peers (ten minutes)
	sh bench/peers/compare -quick $(ARGS)

.PHONY: simulate-workers
simulate-workers: ## 1 to 1,000 workers on one study: times, lock, regret; an hour, goes on where it stopped; ARGS='-journal postgres://…'
	@mkdir -p $(BIN)/workers
	$(call run,workers) -o $(BIN)/workers -told 300,10000 $(ARGS)
	$(GO) build -o $(BIN)/bench/arena ./bench/cmd/arena
	for n in 1 8 64; do $(BIN)/bench/arena -at-once $$n -n 128 -seeds 1-3 -o $(BIN)/workers/at-once-$$n.jsonl || exit; done

.PHONY: compare-speed
compare-speed: ## whole-process costs beside optuna and numpy (a virtual environment; ten minutes)
	bench/compare/speed

.PHONY: compare-objectives
compare-objectives: ## several objectives, beside Optuna, SMAC, Ax and random search (a virtual environment; hours, goes on where it stopped)
	bench/compare/objectives $(ARGS)

.PHONY: compare-journal
compare-journal: ## the same accidents on our journal and on Optuna's journal file (a virtual environment; five minutes)
	bench/compare/journal

.PHONY: compare-fidelity
compare-fidelity: ## studies that judge trials before their end beside full trainings, on synthetic learning curves (ten minutes); PEERS=PYTHON: Optuna and SMAC, too
	$(call run,curves) -seeds 5 -out curves.jsonl
	$(if $(PEERS),$(PEERS) bench/peers/fidelity.py -seeds 5 -out curves.jsonl)
	$(call run,curves) -summary curves.jsonl

.PHONY: golden
golden: ## rewrite the expected outputs the tests compare with; then read the diff
	@set -e; \
	for d in $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n 1 dirname | sort -u); do \
	  $(GO) test -count=1 "$$d" -update; \
	done

.PHONY: tidy
tidy: ## go mod tidy and verify
	$(GO) mod tidy && $(GO) -C bench mod tidy
	$(GO) mod verify

.PHONY: clean
clean: ## remove what the targets above wrote
	rm -rf $(BIN) $(DIST) cover.out
