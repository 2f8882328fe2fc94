#!/bin/sh
# Stands in for perl while OpenSSL is configured: adds our options to ./Configure, passes all else
# through.
# -O3 is what its own build uses; the package asks for -O2.
case $1 in
./Configure) exec perl "$@" no-apps no-docs no-quic no-cmp no-ct no-ts no-lms no-slh-dsa no-argon2 \
    -O3 ;;
*)           exec perl "$@" ;;
esac
