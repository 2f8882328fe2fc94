# Each target installs what it needs, then does its work. `make help` lists the targets.
FAMILY ?=
PREFIX ?= /usr/local
TOMMATH ?= OFF
FUZZ_SECONDS ?= 600
ROWS   ?= 10000000
MINUTES ?= 240
# PREFIX as a word of the shell: quotes would keep it from expanding ~
NOTHING :=
INTO    = $(subst $(NOTHING) $(NOTHING),\ ,$(PREFIX))
JOBS   := $(shell nproc 2>/dev/null || echo 2)
INSTALLED = -DTONGYU_TESTS=OFF -DTONGYU_CLI=ON -DTONGYU_TOMMATH=$(TOMMATH)
CMAKE   = cmake --preset $(1) $(2) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }

.PHONY: help demo test test-full mutate proof coverage demo-bulk bulk-full fw fw-boot fw-bench \
        interop fuzz bench bench-provider bench-python wheels amalgamation wiki-aes arena rtl \
        rtl-full rtl-mutate rtl-report install clean

define HELP
make demo            build, then sign, verify, encrypt and decrypt real files, with openssl as peer
make test            build and run the tests (a few minutes)
make test-full       the same with sanitizers, constant-time runs, other architectures, fuzzing
make coverage        lines and branches of src/ that the tests execute; see
                     build/coverage/index.html
make mutate          change the library in a thousand places, one at a time, and check that a test
                     fails; stops after MINUTES=240, and a later call continues; survivors are
                     tested again with the vector files in TONGYU_VECTORS, if it is set
make demo-bulk       check a ledger of 200,000 entries in C, DuckDB and Spark, and print a table;
                     needs Java 17
make bulk-full       check ROWS=10000000 rows with tongyu-ledger on every engine, and some with
                     openssl; a later call continues an interrupted one; needs Java 17
make interop         exchange keys and messages with OpenSSL, gmsm, BouncyCastle, gmssl and
                     sm-crypto
make fw              firmware for a Cortex-M4: every image, both float ABIs, -Os -O2 -O3, run in
                     QEMU
make fw-boot         the boot loader in QEMU: keys, signed images, wrong images, a thousand
                     mutated ones
make fw-bench        modelled cycles, stack and flash of the images, compared with
                     tests/fw/limits.json and docs/firmware.md (minutes)
make bench           measure every kernel on every tier (Google Benchmark)
make proof           prove theorems about the object code, and refute its mutants; writes the tables
                     of docs/soundness.md; a later call continues an interrupted one; needs AVX-512
make fuzz            run every fuzz target for ten minutes; FUZZ_SECONDS=60 for one minute
make bench-provider  measure the OpenSSL provider against OpenSSL's own, in one process and over
                     TLS
make bench-python    measure the Python package against cryptography, gmssl, tongsuopy and gmpy2
make wheels          wheels for Linux on x86-64 and AArch64, into build/wheels
make amalgamation    LibTomMath 0.11's interface in one bn.c and one bn.h, into build/amalgamation
make arena           measure against other libraries; FAMILY='sm4' for one family, otherwise all;
                     see build/arena.html
make wiki-aes        measure SM4 and AES, and print them next to the figures of gmsm's wiki
make rtl             the accelerator: lint, proofs, simulation against the library; rtl-full: with
                     the long runs
make rtl-mutate      change the accelerator and check that its tests fail; rtl-report: measure its
                     area and clock frequency (minutes to hours)
make install         install library, headers, command, manual page; PREFIX=$(PREFIX); TOMMATH=ON
                     for libtommath.so.1 too
endef
export HELP

help:
	@echo "$$HELP"

build:
	@mkdir -p build

demo: | build
	@tools/setup.sh build
	@$(call CMAKE,release,-DTONGYU_TESTS=OFF -DTONGYU_CLI=ON)
	@cmake --build --preset release
	@tools/demo.sh build/release/bin/tongyu build/demo

test: | build
	@tools/setup.sh test
	@$(call CMAKE,release,-DTONGYU_TESTS=ON -DTONGYU_CLI=ON)
	@cmake --build --preset release
	@ctest --preset release -j$(JOBS)

mutate: | build
	@tools/setup.sh test
	@$(call CMAKE,release,-DTONGYU_TESTS=ON -DTONGYU_CLI=ON)
	@cmake --build --preset release
	@tools/mutate.py --build build/release --state build/mutants.jsonl --minutes $(MINUTES)
	@test -z "$(TONGYU_VECTORS)" || tools/mutate.py --build build/release \
	    --state build/mutants.jsonl --minutes $(MINUTES) --vectors "$(TONGYU_VECTORS)"

demo-bulk: | build
	@tools/setup.sh build bulk
	@tests/bulk/setup.sh
	@build/venv-bulk/bin/python tests/bulk/demo.py

bulk-full: | build
	@tools/setup.sh build bulk
	@tests/bulk/setup.sh
	@build/venv-bulk/bin/python tests/bulk/full.py $(ROWS)

interop: | build
	@tools/setup.sh test
	@$(call CMAKE,release,-DTONGYU_TESTS=ON -DTONGYU_CLI=ON)
	@cmake --build --preset release --target tongyu-cli
	@tests/interop/setup.sh
	@tests/interop/matrix.py build/release/bin/tongyu

test-full:
	@tools/setup.sh full
	@TONGYU_TEST_FULL=1 TONGYU_FUZZ_SECONDS=5 tools/check.sh all

fuzz: | build
	@tools/setup.sh full
	@TONGYU_FUZZ_SECONDS=$(FUZZ_SECONDS) tools/check.sh fuzz

coverage: | build
	@tools/setup.sh full
	@tools/check.sh coverage

proof: | build
	@tools/setup.sh build proof
	@$(call CMAKE,release,-DTONGYU_TESTS=OFF)
	@cmake --build --preset release --target tongyu
	@build/proof-venv/bin/python -B tests/proof/test_rows.py
	@build/proof-venv/bin/python -B tests/proof/test_tool.py build/release/libtongyu.a --mutants
	@build/proof-venv/bin/python -B tests/proof/prove.py build/release/libtongyu.a \
	    --write docs/soundness.md
	@build/proof-venv/bin/python -B tests/proof/parsers.py --mutants \
	    --write docs/soundness.md || [ $$? -eq 77 ]

fw: | build
	@tools/setup.sh fw
	@fw/check.sh

fw-boot: | build
	@tools/setup.sh build fw
	@$(call CMAKE,release,-DTONGYU_TESTS=OFF -DTONGYU_CLI=ON)
	@cmake --build --preset release --target tongyu-cli
	@fw/boot.sh

fw-bench: | build
	@tools/setup.sh fw
	@$(call CMAKE,m4f,)
	@cmake --build --preset m4f --target bench signing
	@build/fw-venv/bin/python tools/fw_bench.py build/m4f/bin/bench.elf --csv build/fw-bench.csv
	@build/fw-venv/bin/python tools/fw_picture.py --check
	@build/fw-venv/bin/python tools/fw_steps.py
	@build/fw-venv/bin/python tools/fw_signing.py build/m4f

bench: | build
	@tools/setup.sh bench
	@$(call CMAKE,bench,)
	@cmake --build --preset bench
	@# bench-tommath needs two libraries: docs/libtommath.md
	@for b in build/bench/bin/bench-*; do \
	    case $$b in *-tommath) continue ;; esac; echo "== $$b"; $$b || exit 1; done

bench-python: | build
	@tools/setup.sh build python
	@bench/python/run.sh

wheels: | build
	@tools/setup.sh build python
	@app/python/wheels.sh

wiki-aes: | build
	@tools/setup.sh test
	@$(call CMAKE,release,-DTONGYU_TESTS=ON -DTONGYU_CLI=ON)
	@cmake --build --preset release --target bench-wiki-aes
	@build/release/bin/bench-wiki-aes

amalgamation: | build
	@tools/setup.sh build
	@tests/compat/amalgamation.sh "$(CC)" build/amalgamation

bench-provider: | build
	@tools/setup.sh bench test
	@$(call CMAKE,release,-DTONGYU_TESTS=ON -DTONGYU_CLI=ON)
	@cmake --build --preset release --target bench-provider
	@build/release/bin/bench-provider
	@bench/provider/tls.py build/release/provider $(OPENSSL)

arena:
	@tools/setup.sh arena
	@bench/arena/run.sh $(FAMILY)

rtl rtl-full rtl-mutate rtl-report: | build
	@tools/setup.sh rtl
	@rtl/check.sh $@

install: | build
	@tools/setup.sh build
	@$(call CMAKE,release,$(INSTALLED) -DCMAKE_INSTALL_PREFIX=$(INTO))
	@cmake --build --preset release
	@umask 022 && cmake --install build/release --strip --prefix $(INTO)   # not root's, often 077

clean:
	rm -rf build
