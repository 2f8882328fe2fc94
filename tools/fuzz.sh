#!/bin/sh
# One fuzz target of preset `fuzz` for some seconds:  tools/fuzz.sh build/fuzz/bin/fuzz-NAME SECONDS
# The corpus stays in build/fuzz/corpus/, so that a later run continues from it; an input on which
# the target fails is kept in build/fuzz/.
set -eu
name=$(basename "$1")
corpus=build/fuzz/corpus/$name
mkdir -p "$corpus"
seeds=build/release/bin/$name   # the same target of the ordinary build writes its seeds
if [ -x "$seeds" ] && [ -z "$(ls "$corpus")" ]; then "$seeds" --seeds "$corpus"; fi
"$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 -verbosity=0 \
     -artifact_prefix="build/fuzz/$name-" "$corpus"
echo "fuzzed $name for $2 s"
