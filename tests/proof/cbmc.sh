#!/bin/sh
# Unpack CBMC 6 and the libraries that it needs from Debian 13 into build/cbmc, on a Debian that
# lacks it, through apt and the mirror that the system already uses; nothing is installed.
# build/cbmc/cbmc runs it, and parsers.py finds it there.
set -eu
suite=trixie
cd "$(dirname "$0")/../.."
mkdir -p build/cbmc
cd build/cbmc
here=$(pwd)
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
[ "$mirror" ] ||
    mirror=$(sed -n 's/^deb \(.*\] \)*\([a-z]*:[^ ]*\) .*/\2/p' /etc/apt/sources.list | head -n 1)
[ "$mirror" ] || { echo "cbmc.sh: no mirror of Debian in apt's sources" >&2; exit 1; }
mkdir -p lists/partial cache/archives/partial debs
echo "deb $mirror $suite main" >sources.list
cat >apt.conf <<CONF
Dir::State::lists "$here/lists";
Dir::Cache "$here/cache";
Dir::Etc::sourcelist "$here/sources.list";
Dir::Etc::sourceparts "-";
CONF
APT_CONFIG=$here/apt.conf
export APT_CONFIG
apt-get -qq update
(cd debs && apt-get -qq download cbmc minisat zlib1g libc6 libstdc++6 libgcc-s1)
for package in debs/*.deb; do dpkg-deb -x "$package" .; done
rm -rf debs cache lists
cat >cbmc <<'RUN'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/usr/lib/$(uname -m)-linux-gnu
exec "$lib"/ld-linux-*.so.2 --library-path "$lib:$here/usr/lib" --argv0 cbmc \
    "$here/usr/bin/cbmc" "$@"
RUN
chmod +x cbmc
./cbmc --version
