#!/bin/sh
# A wrapper for perl while OpenSSL is configured: adds our options to ./Configure and passes other
# calls through.
# OpenSSL's own build uses -O3; the openssl-src package would use -O2.
case $1 in
./Configure) exec perl "$@" no-apps no-docs no-quic no-cmp no-ct no-ts no-lms no-slh-dsa no-argon2 \
    -O3 ;;
*)           exec perl "$@" ;;
esac
