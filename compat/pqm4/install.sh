#!/bin/sh
# Install ML-DSA into a checkout of pqm4:  compat/pqm4/install.sh FOLDER
# FOLDER/crypto_sign/ml-dsa-44, -65 and -87 get two implementations each, for pqm4's benchmarks and
# tests on a board: tongyu-stack signs in the least stack; tongyu keeps all of A, which is fastest.
# pqm4 compiles each folder's .c and .S files, with headers from that folder alone.
set -eu
[ $# = 1 ] || { sed -n '2,5p' "$0"; exit 2; }
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# Files that a Cortex-M cannot use are not installed.
others='_\(avx2\|avx512\|armsha3\|neon\|c64\)\.c$'
install_one() {  # set, name, TY_MLDSA_RAM or nothing
    dir=$to/crypto_sign/ml-dsa-$1/$2
    rm -rf "$dir"
    mkdir -p "$dir/tongyu"
    cp include/tongyu/*.h "$dir/tongyu"
    for folder in base keccak mldsa mod; do
        mkdir "$dir/$folder"
        find "src/$folder" -name '*.h' -o -name '*.inc' | xargs -I FILE cp FILE "$dir/$folder"
    done
    for file in $(ls src/base/*.[cS] src/keccak/*.[cS] src/mldsa/*.[cS] src/mod/q_mldsa*.[cS] |
        grep -v "$others"); do
        cp "$file" "$dir"
    done
    cp compat/pqm4/api.h compat/pqm4/crypto_sign.c "$dir"
    echo "#define TONGYU_SET $1   /* written by install.sh */" >"$dir/params.h"
    { echo "#define TY_MLDSA_LARGEST $1   /* written by install.sh */"
      [ -z "$3" ] || echo "#define TY_MLDSA_RAM $3"
      cat src/mldsa/lean_ram.h; } >"$dir/mldsa/lean_ram.h"
}
# With at least this many bytes everything is kept in memory, unpacked
install_one 44 tongyu 29184
install_one 65 tongyu 47488
install_one 87 tongyu 79488
for set in 44 65 87; do install_one $set tongyu-stack ""; done
echo "pqm4: $(ls -d "$to"/crypto_sign/ml-dsa-*/tongyu* | wc -l) implementations"
