# The contributor's interface. `make serve` and `make test` also install the C libraries they need.

SERVE_ARGS ?= specs/slp.yaml
PRODUCT ?= understudy
PREFIX ?= /usr/local
DIST ?= .build/dist
# Traits of the package: TLS serves HTTPS, and takes minutes to compile. What is installed or released has it, also by the
# scripts of `make dist`; TRAITS= turns it off.
install dist packages: TRAITS ?= TLS
# Tests keep the trait that .build has, since it changes every module. `make check` needs it, and builds an empty clone once.
HAS_TLS = $(if $(wildcard .build/checkouts/swift-nio-ssl),TLS)
test mutants: TRAITS ?= $(HAS_TLS)
check: TRAITS ?= $(if $(wildcard .build/checkouts),$(HAS_TLS),TLS)
export TRAITS

# The build system with its products in .build/debug and .build/release, which lists the objects of a program for its bill of
# materials; Swift 6.4 has another default.
NATIVE := --build-system native

# Static Swift libraries start in a third of the time of shared ones, and need no installation on the target machine. On
# macOS they are part of the system.
# Debug information takes a third of the time of a build; names of functions stay in the symbol table.
# All tests run with the checks for exclusive access to memory. Without them a request takes an eighth less processor time.
# C code has the names of its files in messages; without the folder of the checkout, two of them build the same program.
RELEASE := -c release $(NATIVE) -debug-info-format none -Xswiftc -enforce-exclusivity=unchecked \
  -Xcc '-ffile-prefix-map=$(CURDIR)=.' $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
# Where it is used, since a target may set TRAITS.
WITH_TRAITS = $(if $(TRAITS),--traits '$(TRAITS)')

# Debug information is needed only in a debugger: `make test TEST_FLAGS=`.
# (Without an index the tests of a clean build are not found on Linux.)
TEST_FLAGS ?= -debug-info-format none
export TEST_FLAGS

.PHONY: serve build program install dist packages test check mutants bench fuzz schemathesis format lint system clean

# What answers requests is optimized for size, the code of other commands not at all: a third of the processor time of a build.
# Whatever is installed, released or measured has everything optimized for speed.
serve: export UNDERSTUDY_OPTIMIZE := server

## Mock the SLP backend on http://localhost:4010 (SERVE_ARGS="specs/petstore.yaml --port 0" for another contract)
serve: build
	@.build/release/understudy serve $(SERVE_ARGS)

## Build the release binary: .build/release/understudy
# The longest chain of modules comes first; the packages that it does not need are compiled beside it.
build: system program

# PLAN has options of one caller, such as Scripts/dist.
program:
	swift build $(RELEASE) $(WITH_TRAITS) $(PLAN) --target UnderstudyContract
	swift build $(RELEASE) $(WITH_TRAITS) $(PLAN) --product $(PRODUCT)

## Build the archive of a release for this platform in DIST (.build/dist), with HTTPS
dist: system
	@Scripts/dist $(DIST)

## Build the packages of that archive: wheel, npm, .deb, Homebrew formula
packages: dist
	@Scripts/packages $(DIST)

## Install the program with HTTPS, its completions, manual page and documentation below PREFIX (/usr/local)
install: build
	@Scripts/install .build/release/understudy $(PREFIX)

test check mutants: export UNDERSTUDY_OPTIMIZE := $(if $(TEST_FLAGS),engine)
# Warnings are errors in tests alone: a user's newer compiler may have more of them.
test check mutants: export UNDERSTUDY_STRICT := $(if $(TEST_FLAGS),1)

## Build this package and run its tests; FILTER="HARTests|RunTests" builds the same and runs these suites
test: system
	swift build $(NATIVE) --disable-build-manifest-caching --build-tests $(WITH_TRAITS) $(TEST_FLAGS)
	@Scripts/run-tests --skip-build $(TEST_FLAGS) $(if $(FILTER),--filter '$(FILTER)')

## Run what CI runs: the tests, then consumers, examples, clients in other languages, HTTPS, macOS, console; see Scripts/check
check: system
	@Scripts/check $(STEPS)

## Seed the faults of Tests/Mutants one by one; print those found, missed, and false alarms
mutants: system
	swift build $(NATIVE) --product $(PRODUCT) $(TEST_FLAGS)
	swift build $(NATIVE) --product UnderstudyEvidence $(TEST_FLAGS)
	@.build/debug/UnderstudyEvidence mutants --command .build/debug/$(PRODUCT)

## Measure every figure of the documentation (five minutes, a quiet machine; see Benchmarks/RESULTS.md)
bench: build
	Benchmarks/run
	Benchmarks/schema

## Fuzz parsers, readers, compilers and decoders (FUZZ_SECONDS=600)
fuzz: system
	Benchmarks/fuzz $(or $(FUZZ_SECONDS),60)

## Run Schemathesis against the mock; some minutes, needs python3 and PyPI, not part of `make test`
schemathesis: build
	@Evidence/schemathesis $(NAMES)

## Format the sources
format:
	swift format --in-place --recursive Package.swift Sources Tests

## Check the formatting without changing files
lint:
	swift format lint --strict --recursive Package.swift Sources Tests

## Install the C libraries that pkg-config does not find
system:
	@Scripts/system-libraries

clean:
	rm -rf .build Benchmarks/.build
