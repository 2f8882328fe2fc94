#!/bin/sh
# A wrapper for perl while Tongsuo is configured: adds our options to ./Configure and passes other
# calls through.
# Tongsuo's own build uses -O3; the tongsuo-src package would use -O2. Tongsuo's 64-bit SM2 field
# code is off by default; for a fair comparison it is on here.
case $1 in
./Configure) exec perl "$@" enable-ec_sm2p_64_gcc_128 no-apps no-quic no-cmp no-ct no-ts \
    no-slh-dsa -O3 ;;
*)           exec perl "$@" ;;
esac
