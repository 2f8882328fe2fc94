#!/usr/bin/env bash
# The tongyu command at work on real files, with the openssl command as its peer. Takes about a
# minute.
#
#     tools/demo.sh PATH-OF-TONGYU WORK-DIRECTORY
#
# Each step is one line and must end in "ok"; the first failure ends the demonstration with
# status 1.
set -u
tongyu=$(realpath "${1:?usage: tools/demo.sh PATH-OF-TONGYU WORK-DIRECTORY}")
work=${2:?usage: tools/demo.sh PATH-OF-TONGYU WORK-DIRECTORY}
source=$(realpath "$(dirname "$0")/..")
mkdir -p "$work" && work=$(mktemp -d "$(realpath "$work")/demo.XXXXXX") && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT

if [ -t 1 ]; then bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' dim=$'\e[2m' plain=$'\e[0m'
else bold='' green='' red='' dim='' plain=''; fi
begun=$(date +%s%N)

title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
seconds() {
    local ms=$((($(date +%s%N) - $1) / 1000000))
    printf '%d.%02d s' $((ms / 1000)) $((ms % 1000 / 10))
}
line() { printf '  %-62s %s%-7s%s %s%s%s\n' "$1" "$2" "$3" "$plain" "$dim" "$4" "$plain"; }

fail() {
    line "$1" "$red" FAILED ''
    sed 's/^/      /' log
    echo "demo: \"$1\" went wrong; the commands are in tools/demo.sh" >&2
    exit 1
}

# step "what is shown" command...: the command must succeed
step() {
    local what=$1 t0; shift
    t0=$(date +%s%N)
    "$@" >log 2>&1 || fail "$what"
    line "$what" "$green" ok "$(seconds "$t0")"
}

# refused "what is shown" command...: the command must exit with status 1 and leave no file named
# out
refused() {
    local what=$1 status; shift
    rm -f out
    "$@" >log 2>&1
    status=$?
    { [ $status -eq 1 ] && [ ! -e out ]; } || { echo "exit status $status" >>log; fail "$what"; }
    line "$what" "$green" ok "refused, exit status 1"
    printf '      %s%s%s\n' "$dim" "$(head -1 log)" "$plain"
}

# piped "what is shown" 'a | pipeline': through a shell, every part of the pipe must succeed
piped() { local what=$1; shift; step "$what" bash -c "set -o pipefail; $1" "$tongyu"; }

flip() { # flip FILE OFFSET: change one bit of that byte
    local byte; byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    printf "\\x$(printf %x $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

have_openssl=''
if command -v openssl >/dev/null &&
    openssl list -digest-algorithms 2>/dev/null | grep -qi sm3; then have_openssl=yes; fi
key=0123456789abcdeffedcba9876543210 iv=f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
export SM4_KEY=$key
id=distid:1234567812345678

title "Files: this project's own source, and 256 MB"
step "tar of the source tree" tar -C "$source" --exclude=./build --exclude=./.git -cf source.tar .
step "256 MB of SM4 key stream" bash -c "head -c 268435456 /dev/zero |
    '$tongyu' cipher --alg sm4-ctr --key-env SM4_KEY --iv-hex $iv -o big"
ls -l source.tar big | awk '{ printf "      %12d bytes  %s\n", $5, $NF }'

title "Keys and signatures"
step "make two SM2 keys" bash -c "'$tongyu' keygen --alg sm2 -o alice.pem --pub alice.pub &&
    '$tongyu' keygen --alg sm2 -o bob.pem --pub bob.pub"
for f in source.tar big; do
    step "sign $f" "$tongyu" sign -k alice.pem -o $f.sig $f
    step "verify $f" "$tongyu" verify -k alice.pub -s $f.sig $f
done
cp source.tar changed.tar && flip changed.tar 5000
refused "one flipped bit in source.tar" "$tongyu" verify -k alice.pub -s source.tar.sig changed.tar
cp source.tar.sig changed.sig && flip changed.sig 20
refused "one flipped bit in the signature" "$tongyu" verify -k alice.pub -s changed.sig source.tar
refused "another signer's key" "$tongyu" verify -k bob.pub -s source.tar.sig source.tar

title "Sealed files"
echo 'correct horse battery staple' >password
for f in source.tar big; do
    step "encrypt $f for bob" "$tongyu" encrypt -k bob.pub -o $f.ty $f
    step "decrypt it" "$tongyu" decrypt -k bob.pem -o $f.back $f.ty
    step "the same bytes" cmp $f $f.back
    rm $f.back
done
step "encrypt source.tar under a password" \
    "$tongyu" encrypt --password-file password -o pw.ty source.tar
piped "decrypt it through a pipe" '"$0" decrypt --password-file password pw.ty | cmp - source.tar'
flip big.ty 200000000
refused "one flipped bit 200 MB into big.ty: no output file" \
    "$tongyu" decrypt -k bob.pem -o out big.ty
head -c 100000000 big.ty >cut.ty
refused "big.ty cut short" "$tongyu" decrypt -k bob.pem -o out cut.ty
refused "not for alice" "$tongyu" decrypt -k alice.pem -o out source.tar.ty
rm -f cut.ty big.ty

title "With openssl, both ways"
if [ -z "$have_openssl" ]; then
    echo "  skipped: no openssl command with SM2, SM3 and SM4 was found"
else
    printf '  %s%s%s\n' "$dim" "$(openssl version)" "$plain"
    step "openssl verifies our signature" openssl dgst -sm3 -verify alice.pub \
        -signature source.tar.sig -sigopt $id source.tar
    step "openssl signs with our key" openssl dgst -sm3 -sign alice.pem -sigopt $id \
        -out theirs.sig source.tar
    step "tongyu verifies that" "$tongyu" verify -k alice.pub -s theirs.sig source.tar
    for mode in cbc ctr; do
        step "tongyu encrypts big with SM4-${mode^^}" "$tongyu" cipher --alg sm4-$mode \
            --key-env SM4_KEY --iv-hex $iv -o ours.$mode big
        piped "openssl decrypts it" \
            "openssl enc -d -sm4-$mode -K $key -iv $iv -in ours.$mode | cmp - big"
        rm ours.$mode
        step "openssl encrypts source.tar with SM4-${mode^^}" openssl enc -sm4-$mode -K $key \
            -iv $iv -in source.tar -out theirs.$mode
        piped "tongyu decrypts it" \
            "\"\$0\" cipher -d --alg sm4-$mode --key-env SM4_KEY --iv-hex $iv theirs.$mode |
                cmp - source.tar"
    done
    head -c 100 source.tar >short
    step "tongyu encrypts 100 bytes with SM2" "$tongyu" sm2 encrypt -k bob.pub -o short.ct short
    piped "openssl decrypts them" \
        'openssl pkeyutl -decrypt -inkey bob.pem -in short.ct | cmp - short'
    piped "openssl encrypts, tongyu decrypts" \
        'openssl pkeyutl -encrypt -pubin -inkey bob.pub -in short |
            "$0" sm2 decrypt -k bob.pem | cmp - short'
    piped "the same SM3 digest of big" \
        '[ "$("$0" hash big | cut -c 1-64)" = "$(openssl dgst -sm3 -r big | cut -c 1-64)" ]'
fi

title "Every tier that runs on this CPU"
head -c 1000000 big >small
"$tongyu" hash small >small.sum
for tier in $("$tongyu" tiers --names); do
    # shellcheck disable=SC2016
    piped "$tier: hash, sign, verify, encrypt, decrypt" '
        t="--tier '"$tier"'"
        "$0" hash $t -c small.sum && "$0" sign $t -f -k alice.pem -o small.sig small &&
        "$0" verify $t -k alice.pub -s small.sig small &&
        "$0" encrypt $t -f -k bob.pub -o small.ty small &&
        "$0" decrypt $t -k bob.pem small.ty | cmp - small'
done

title "Speed"
"$tongyu" speed sm2 sm3 sm4 --seconds 3 >speed.txt 2>log || fail "speed"
sed 's/^/  /' speed.txt
printf '\n%sAll steps ok%s in %s.\n' "$bold$green" "$plain" "$(seconds "$begun")"
