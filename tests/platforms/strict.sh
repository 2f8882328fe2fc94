#!/bin/sh
# Checks that every file of src/ is strict C11 without extensions: no warning of -Wall, -Wextra or
# -Wpedantic.
#     strict.sh CC...      runs each of these compilers, skips those that are not installed, and
#                          fails if none is. "CC --target=SYSTEM" is one argument.
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
