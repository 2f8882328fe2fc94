#!/bin/sh
# bn.c and bn.h compile on their own and do what LibTomMath 0.11's manual says:
#     amalgamation.sh [CC [FOLDER]]        FOLDER keeps them; without it they are deleted
set -eu
cd "$(dirname "$0")/../.."
cc=${1:-cc} dir=${2:-}
[ "$dir" ] || { dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; }
python3 tools/amalgamate.py "$dir"
if grep -n '^[ \t]*#[ \t]*include[ \t]*"' "$dir/bn.c" "$dir/bn.h"; then
    echo "amalgamation.sh: a file of the project is still included" >&2
    exit 1
fi
work=$(mktemp -d)
script=$PWD/tools/amalgamate.py
# an option is not a folder
(cd "$work" && python3 "$script" --help >/dev/null && ! python3 "$script" --nonsense 2>/dev/null)
[ -z "$(ls -A "$work")" ] || { echo "amalgamation.sh: an option became a folder" >&2; exit 1; }
sed 's|tongyu/compat/bn.h|bn.h|' tests/compat/manual.c >"$work/manual.c"
# shellcheck disable=SC2086  # a compiler, perhaps with ccache before it or flags after it
$cc -O2 -Wall -Wextra -Werror -c "$dir/bn.c" -o "$work/bn.o"
# shellcheck disable=SC2086
$cc -ansi -Wall -Wextra -Werror "-I$dir" "$work/manual.c" "$work/bn.o" -o "$work/manual"
"$work/manual"
rm -r "$work"
echo "amalgamation: $(wc -l <"$dir/bn.c") lines of bn.c, $(wc -l <"$dir/bn.h") of bn.h"
