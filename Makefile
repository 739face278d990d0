# The thin front of the build: CMake does the work, `make help` lists what there is.
BUILD := build
JOBS  := $(shell nproc)
AISP  := $(BUILD)/aisp

.DEFAULT_GOAL := help
.PHONY: help build run test check selftest bench coverage metrics dist clean deps-run deps-test deps-check

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-9s %s\n", $$1, $$2}' Makefile

build: deps-run  ## build everything into build/ (installs what is missing first)
	@cmake --preset release -DAISP_TESTS=OFF --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)

run: build  ## build, then measure chapter 1
	@$(AISP) bench run -t ch01 --profile minimal

test: deps-test  ## build with warnings as errors, then all tests of a working day
	@cmake --preset release -DAISP_TESTS=ON --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)
	@# What measures has the machine to itself (RUN_SERIAL); what only verifies has a core (PROCESSOR_AFFINITY).
	@# The longest first, as COST says in a new folder and the last run in others.
	@ctest --test-dir $(BUILD) --output-on-failure -LE slow -E '^cheats_' -j $(JOBS)
	@# A cheat is made of threads and moments, and a crowded machine moves both: it may have a second chance to be caught by the
	@# check that is named. An honest twin has none to be accused.
	@ctest --test-dir $(BUILD) --output-on-failure -R '^cheats_' --repeat until-pass:2 -j $(JOBS)

check: deps-check test  ## test, and everything slower: sanitizers, clang, lints, studies
	@tools/check
	@JOBS=$(JOBS) tools/dist
	@tools/prove-dist build-dist/aisp-*.tar.xz

selftest: deps-test  ## repeat the proofs on this machine: every cheat caught, every honest twin passed
	@cmake --preset release -DAISP_TESTS=ON --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS) --target aisp-selftest
	@$(BUILD)/aisp-selftest

bench: deps-test  ## what the harness itself costs and how well it judges, beside its goals
	@cmake --preset release -DAISP_TESTS=ON --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS)
	@$(BUILD)/aisp-bench

coverage: deps-check  ## line coverage of the tests
	@tools/coverage

metrics: build  ## what each target declares: work, units, goal, gaps
	@$(AISP) bench list-targets --long

dist: deps-test  ## one tarball for machines where nothing can be installed: build-dist/aisp-*.tar.xz
	@JOBS=$(JOBS) tools/dist

clean:  ## remove build folders (records in artifacts/ stay)
	@rm -rf build build-*

deps-run deps-test deps-check:
	@tools/install-deps $(@:deps-%=%)
