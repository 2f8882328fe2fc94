#!/bin/sh
# Stands in for perl while Tongsuo is configured: adds our options to ./Configure, passes all else
# through.
# Its own build uses -O3, where the package asks for -O2. Its 64-bit SM2 field code is off by
# default; a fair comparison has it on.
case $1 in
./Configure) exec perl "$@" enable-ec_sm2p_64_gcc_128 no-apps no-quic no-cmp no-ct no-ts \
    no-slh-dsa -O3 ;;
*)           exec perl "$@" ;;
esac
