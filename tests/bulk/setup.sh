#!/bin/sh
# Makes an environment for the tests of bulk work in build/venv-bulk, with the versions of
# requirements.txt: DuckDB, Spark and the Python package of this tree; and builds the DuckDB
# extension, if there is cargo or DUCKDB_HEADERS is set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
venv=build/venv-bulk

command -v java >/dev/null || {
    echo "setup.sh: Spark needs Java 17 or newer (default-jre-headless)" >&2
    exit 1
}
if ! cmp -s "$here/requirements.txt" $venv/requirements.txt; then
    python3 -m venv $venv
    $venv/bin/pip install --quiet --upgrade pip
    $venv/bin/pip install --quiet -r "$here/requirements.txt"
    cp "$here/requirements.txt" $venv/
fi
made=$(find src include app/python/src app/python/tongyu app/python/*.* -type f ! -name '*.pyc' \
    | LC_ALL=C sort | xargs cksum | cksum)
if [ "$(cat $venv/made 2>/dev/null)" != "$made" ]; then
    $venv/bin/pip install --quiet --force-reinstall --no-deps ./app/python
    echo "$made" >$venv/made
fi
if command -v cargo >/dev/null || [ "${DUCKDB_HEADERS:-}" ]; then
    app/duckdb/build.sh >/dev/null
else
    echo "setup.sh: no cargo and no DUCKDB_HEADERS: the DuckDB extension is left out" >&2
fi
