#!/bin/sh
# tools/setup.sh on a system that is made of stubs, on which nothing is installed:
#     a Python environment that was not completed is not taken for complete by the next run
#     without the Python packages of the proofs, the group proof is refused
#     apt's answer is understood in every language
set -eu
script=$(cd "$(dirname "$0")/../.." && pwd)/tools/setup.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/bin" "$dir/tree/tools/m4cycles"
cp "$script" "$dir/tree/tools/"
echo any >"$dir/tree/tools/m4cycles/requirements.txt"
for tool in sh env sed sort head grep cmp cp mkdir dirname cat chmod; do
    ln -s "$(command -v $tool)" "$dir/bin/$tool"
done
stub() {  # name, what it does
    printf '#!/bin/sh\n%s\n' "$2" >"$dir/bin/$1"
    chmod +x "$dir/bin/$1"
}
stub dpkg-query 'echo "install ok installed"'
stub cmake 'echo "cmake version 3.99.0"'
stub id 'echo 0'
run() { (cd "$dir/tree" && PATH=$dir/bin LC_ALL=de_DE.UTF-8 tools/setup.sh "$@"); }

# as without ensurepip: the folder is there, and the command fails
stub python3 'mkdir -p build/fw-venv; exit 1'
if run fw >"$dir/log" 2>&1; then
    echo "setup.sh: an environment that could not be made is no error" >&2
    exit 1
fi
if [ -e "$dir/tree/build/fw-venv/requirements.txt" ]; then
    echo "setup.sh: an environment that could not be made is marked as complete" >&2
    exit 1
fi

mkdir -p "$dir/tree/tests/proof"
echo any >"$dir/tree/tests/proof/requirements.txt"
stub python3 'exit 1'
if run proof >"$dir/log" 2>&1; then
    echo "setup.sh: proofs that cannot be set up are no error" >&2
    exit 1
fi

stub python3 'mkdir -p build/proof-venv/bin; printf "#!/bin/sh\n" >build/proof-venv/bin/pip
chmod +x build/proof-venv/bin/pip'
stub apt-cache 'if [ "${LC_ALL:-}" = C ]; then echo "  Candidate: 6.4.1"
else echo "  Installationskandidat: 6.4.1"; fi'
stub apt-get "echo \"\$*\" >>'$dir/installed'"
run proof >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
grep -q cbmc "$dir/installed" 2>/dev/null ||
    { echo "setup.sh: no cbmc where apt answers in German" >&2; exit 1; }
echo "setup: incomplete environments, proofs without packages, apt in another language"
