#!/bin/sh
# Strict C11 without extensions, with every warning of -Wpedantic an error, by each compiler that is
# installed:
#     strict.sh CC...      skips those that are missing; without any it fails.
#                          "CC --target=SYSTEM" is one argument.
set -eu
cd "$(dirname "$0")/../.."
tried=0
for cc in "$@"; do
    command -v "${cc%% *}" >/dev/null || { echo "strict: no $cc"; continue; }
    # shellcheck disable=SC2086  # a compiler and its target
    for source in src/*/*.c; do echo "$source"; done | xargs -P "$(nproc)" -n 16 \
        $cc -fsyntax-only -std=c11 -O1 -Wall -Wextra -Wpedantic -Wno-type-limits -Werror -Isrc \
        -Iinclude
    echo "strict: $cc compiles all of src/"
    tried=$((tried + 1))
done
[ "$tried" -gt 0 ]
