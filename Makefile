# courtd: make run serves the demo, make test runs everything.
GO      ?= go
LISTEN  ?= 127.0.0.1:8080
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# The packages in which several things happen at once; they are tested under the
# race detector. All others are tested without: their pages keep nothing from one request
# to the next.
RACY    := $(addprefix courtd/,sqlite app reconciler web web/httpx web/squeeze web/static web/pages web/pages/kit)
REST     = $(filter-out $(RACY) $(BROWSER),$(shell $(GO) list ./...))
# The pages in a real Chromium, which the built program serves.
BROWSER := courtd/app/courtd/browser
# Long lives of a club, in which one thing happens after another: the race detector
# has nothing to see there and takes minutes.
LIVES := TestSeed_AMonthWithoutReconciler|TestPreviewOf
# Guesses at passwords, each of which is slow on purpose, and many times slower there.
GUESSES := TestWhatIsTriedIsCounted|TestStrangersDoNot|TestAStolenCookieGuesses|TestProxies|TestEveryBodyIsReadStrictly
# Orders while the payment provider does everything wrong at once; make test-long has more.
STORM := ^TestStorm$$
STORM_ORDERS ?= 2000
STORM_SEED ?= 20261210
# The program killed under load; make test kills it 15 times.
CRASHES ?= 300
CRASH_SEED ?= 20261210
# Days of a small club beside an oracle. make sim SEED=n STEPS=n is another life, and
# TRACE=… one that a failure has printed; make sim-long is ten minutes and ten million steps.
SIM := ^TestSimulation$$
SEED ?= 1
STEPS ?= 100000
# Deadlines are instants: they must hold wherever the machine thinks it is. The
# race run is at home in Shanghai, these runs are elsewhere.
ELSEWHERE := UTC America/Los_Angeles
DEADLINES := TestC(04|06|07|08|10|11|25|27|29|30|31|34|36)_|TestSeed_|$(LIVES)
# The tests' databases go to memory where there is such a place: they wait for the
# disk thousands of times, and a killed process loses nothing there either.
SCRATCH := $(shell test -w /dev/shm && df -Pk /dev/shm | awk 'END { exit !($$4 > 2000000) }' && echo /dev/shm || echo $${TMPDIR:-/tmp})
TESTENV := GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$(SCRATCH)
# Test binaries are built elsewhere, because nothing may be run from some such places; the
# tests themselves would make their folders there too.
IN_SCRATCH := -exec 'env -u GOTMPDIR'

.PHONY: build run test test-long test-race test-rest test-zones test-browser sim sim-long check fuzz mutate bench compare screenshots vendor needs-build needs-test needs-browser needs-compare clean

build: needs-build
	$(GO) build -ldflags "-X main.version=$(VERSION)" -o bin/courtd ./app/courtd

run: build
	bin/courtd demo --busy --listen $(LISTEN)

# Everything that CI runs.
test: needs-test needs-browser check test-race test-rest test-zones test-browser

# What takes minutes: a storm of 2000 orders, and the program killed 300 times.
# STORM_SEED=n is another storm, CRASH_SEED=n are other kills.
test-long: needs-test
	$(TESTENV) $(GO) test -count=1 -v -timeout 30m -run '$(STORM)' ./app -storm $(STORM_ORDERS) -seed $(STORM_SEED)
	$(TESTENV) $(GO) test -count=1 -v -timeout 60m -run '^TestCrash$$' ./app/courtd -crashes $(CRASHES) -seed $(CRASH_SEED)

# Looks for inputs that break a promise, FUZZTIME for each target in turn; FUZZ=Name picks
# some. What breaks one is written below the package's testdata/fuzz, where every test
# run tries it again. Nothing is made shorter: a served venue remembers what came before,
# so that trying again would take most of the time.
FUZZTIME ?= 30s
FUZZERS  ?= 1
FUZZED   := app domain reconciler sqlite web
fuzz: needs-test
	@failed=; for at in $$(grep -ro --include='*_test.go' '^func Fuzz$(FUZZ)[A-Za-z0-9]*' $(FUZZED) | sort | tr -s ' ' ':'); do \
		target=$${at##*:}; package=./$$(dirname $${at%%:*}); echo "$$package $$target"; \
		$(TESTENV) $(GO) test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 0x -parallel $(FUZZERS) || failed="$$failed $$target"; \
	done; if [ -n "$$failed" ]; then echo "broken:$$failed"; exit 1; fi

check:
	@unformatted=$$(gofmt -l app domain sqlite reconciler web docs); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	$(GO) vet ./...

test-race:
	$(TESTENV) TZ=Asia/Shanghai $(GO) test $(IN_SCRATCH) -race -shuffle=on -skip '$(LIVES)|$(STORM)|$(GUESSES)|$(SIM)|^Fuzz' $(RACY)

test-rest:
	$(TESTENV) $(GO) test $(IN_SCRATCH) -shuffle=on $(REST)
	$(TESTENV) $(GO) test $(IN_SCRATCH) -run '$(STORM)' ./app
	$(TESTENV) $(GO) test $(IN_SCRATCH) -run '$(GUESSES)' ./web
	$(TESTENV) $(GO) test $(IN_SCRATCH) -run '^Fuzz' $(RACY)
	$(TESTENV) $(GO) test $(IN_SCRATCH) -timeout 20m -run '$(SIM)' ./app -steps 100000

sim: needs-test
	$(TESTENV) $(GO) test $(IN_SCRATCH) -count=1 -v -timeout 24h -run '$(SIM)' ./app -steps $(STEPS) -sim-seed $(SEED) -trace '$(TRACE)'

sim-long: needs-test
	$(TESTENV) $(GO) test $(IN_SCRATCH) -count=1 -v -timeout 24h -run '$(SIM)' ./app -steps 10000000 -sim-for 10m -sim-seed $(SEED)

test-zones:
	@for zone in $(ELSEWHERE); do \
		echo "TZ=$$zone"; $(TESTENV) TZ=$$zone $(GO) test $(IN_SCRATCH) -count=1 -shuffle=on ./domain || exit 1; \
		$(TESTENV) TZ=$$zone $(GO) test $(IN_SCRATCH) -count=1 -shuffle=on -run '$(DEADLINES)' ./app || exit 1; \
	done

# Some journeys wait for a clock; meanwhile others go on.
test-browser: needs-browser
	$(TESTENV) $(GO) test -count=1 -parallel 3 $(BROWSER)

# Measures courtd beside what it is held against, in ratios, and writes them to
# docs/benchmarks.md. BENCH='-only grid -rounds 3' measures a part, and quicker.
BENCH ?=
bench: needs-build
	$(GO) run ./docs/bench $(if $(BENCH),$(BENCH),-out docs/benchmarks.md)

# Pictures of the main pages, on a phone and on a desk.
screenshots: needs-browser
	$(TESTENV) $(GO) test -count=1 -run '^TestPages$$' $(BROWSER) -pictures $(CURDIR)/docs/screenshots

# courtd beside what people use instead, measured into docs/compare/README.md (15 minutes at most).
compare: needs-compare
	cd docs/compare && $(GO) vet ./... && $(GO) test ./... && $(GO) build -o $(CURDIR)/bin/compare . && $(CURDIR)/bin/compare -write README.md

# Flips every < and <= of the rule, one at a time, and wants a test to fail (slow).
mutate: needs-test
	$(GO) run .ci/mutate/main.go

# Fetches the files of others that the pages use, exactly those of the manifest.
vendor:
	@.ci/vendor web/static/vendor/MANIFEST web/static/vendor

# What a fresh machine lacks is installed with apt-get when root, or named in one line.
needs-build:
	@command -v $(GO) >/dev/null || { echo "courtd needs Go 1.26 or newer: https://go.dev/dl/"; exit 1; }
	@$(GO) version | awk '{ split(substr($$3, 3), v, "."); exit !(v[1] > 1 || v[2] >= 26) }' \
		|| { echo "courtd needs Go 1.26 or newer (this is $$($(GO) version)): https://go.dev/dl/"; exit 1; }
	@command -v $${CC:-gcc} >/dev/null || $(MAKE) --no-print-directory apt PACKAGE=gcc WANTS="a C compiler" ALSO=libc6-dev

needs-test: needs-build
	@command -v sqlite3 >/dev/null || $(MAKE) --no-print-directory apt PACKAGE=sqlite3 WANTS="the sqlite3 command"

# A server that is missing is skipped by the comparison. It is installed only where nothing
# would start it as a service: the comparison starts its own.
needs-compare: needs-build
	@test -d /run/systemd/system || for server in redis-server beanstalkd rabbitmq-server; do \
		test -x /usr/bin/$$server -o -x /usr/sbin/$$server \
			|| $(MAKE) --no-print-directory apt PACKAGE=$$server WANTS="$$server to compare itself with" || true; \
	done

# npm fetches the script that looks for what shuts people out (.ci/vendor).
needs-browser: needs-build
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
		|| $(MAKE) --no-print-directory apt PACKAGE=chromium WANTS="Chromium and a Chinese font" ALSO=fonts-wqy-zenhei
	@command -v npm >/dev/null || $(MAKE) --no-print-directory apt PACKAGE=npm WANTS=npm ALSO=nodejs
	@.ci/vendor app/courtd/browser/MANIFEST .cache

.PHONY: apt
apt:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && apt-get install -qy --no-install-recommends $(PACKAGE) $(ALSO); \
	else echo "courtd needs $(WANTS): sudo apt-get install $(PACKAGE) $(ALSO)"; exit 1; fi

clean:
	rm -rf bin
