#!/bin/sh
# Compares the code in docs/partial-reduction.md, extracted from the page, with the library:
#     one_page.sh CC LIBTONGYU.A
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sed -n '/^```c$/,/^```$/p' docs/partial-reduction.md | grep -v '^```' >"$dir/page.h"
"$1" -std=c11 -O2 -Wall -Wextra -Werror -pedantic -Iinclude "-I$dir" tests/ec/one_page.c "$2" \
    -pthread -o "$dir/page"
"$dir/page"
