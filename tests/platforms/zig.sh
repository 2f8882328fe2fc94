# Sourced by the other scripts of this folder: `zig TARGET cc|c++ ...` compiles for TARGET with its
# headers and libraries; `parts TARGET DIR FLAGS...` compiles the library's sources to one object
# each in DIR, on all CPUs.
cd "$(dirname "$0")/../.." || exit 1
jobs=$(nproc 2>/dev/null || echo 2)
if ! PYTHONPATH=build/python python3 -c 'import ziglang' 2>/dev/null; then
    echo "skipped: no Python package ziglang (tools/setup.sh full)"
    exit 77
fi
zig() {
    target=$1; shift
    language=$1; shift
    PYTHONPATH=build/python python3 -m ziglang "$language" -target "$target" "$@"
}
parts() {
    into=$2
    mkdir -p "$into"
    PYTHONPATH=build/python && export PYTHONPATH
    target=$1; shift 2
    for source in src/*/*.c src/*/*.S; do echo "$source"; done | xargs -P "$jobs" -I SOURCE sh -c '
        source=$1 into=$2; shift 2
        exec python3 -m ziglang cc "$@" -Isrc -Iinclude -c "$source" \
            -o "$into/$(echo "$source" | tr / _).o"
    ' sh SOURCE "$into" -target "$target" "$@"
}
