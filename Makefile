# The contributor's interface. `make serve` and `make test` do all the set-up they need.

SERVE_ARGS ?=
PRODUCT ?= understudy

# Linked into the program, the Swift libraries cost a third of the time that loading them takes, and need not be installed
# where it runs. On macOS they are part of the system.
RELEASE := -c release $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)

.PHONY: serve build test mutants bench fuzz schemathesis format lint system clean

## Run the SLP backend on http://localhost:4010 (SERVE_ARGS="specs/petstore.yaml --port 0" for another one)
serve: build
	@.build/release/understudy serve $(SERVE_ARGS)

## Build the release binary: .build/release/understudy
build: system
	swift build $(RELEASE) --product $(PRODUCT)

## Build everything and run the tests
test: system
	swift build --build-tests
	swift build --product Consumer --package-path Tests/Consumer --scratch-path .build/consumer --disable-index-store
	swift test --skip-build

## Seed the faults of Tests/Mutants one by one: found, missed, false alarms
mutants: system
	swift build --product $(PRODUCT)
	swift build --product Evidence
	@.build/debug/Evidence mutants --command .build/debug/$(PRODUCT)

## Measure everything that the documentation names (five minutes, a quiet machine; figures of record: Benchmarks/RESULTS.md)
bench: build
	Benchmarks/run
	Benchmarks/schema

## Throw mutated input at parsers, readers, compilers and decoders (FUZZ_SECONDS=600)
fuzz: system
	Benchmarks/fuzz $(or $(FUZZ_SECONDS),60)

## Let Schemathesis attack the mock; some minutes, needs python3 and PyPI, no part of `make test`
schemathesis: build
	@Scripts/schemathesis $(NAMES)

## Lay the sources out as the house style has it
format:
	swift format --in-place --recursive Package.swift Sources Tests

## Check the layout without changing anything
lint:
	swift format lint --strict --recursive Package.swift Sources Tests

## Install the C libraries that pkg-config does not find
system:
	@Scripts/system-libraries

clean:
	rm -rf .build Benchmarks/.build
