#!/bin/sh
# The boot loader in QEMU:  fw/boot.sh [-jN]
# Makes new keys and, with imgtool, an application's image, which tools/fw_sign.py signs. The
# loaders for ML-DSA, for SM2 and for both start it, and refuse every wrong image with the right
# exit status, and a thousand mutated images; tools/fw_check.py checks the loaders' instructions.
# This is done with the tier m4, in plain C, and with the tier m4 without its unrolled kernels
# ("small"); the flash of each loader has a limit. Loaders have no secrets: -DTY_PUBLIC_ONLY.
set -eu
cd "$(dirname "$0")/.."
keys=build/fw-boot-keys
TONGYU=${TONGYU:-$PWD/build/release/bin/tongyu}
export TONGYU
command -v "$TONGYU" >/dev/null ||
    { echo "boot.sh: no $TONGYU: make fw-boot builds it" >&2; exit 1; }
rm -rf "$keys"
mkdir -p "$keys/ml-dsa" "$keys/sm2" "$keys/both"
"$TONGYU" keygen -q --alg ml-dsa-44 -o "$keys/ml-dsa.pem"
"$TONGYU" keygen -q --alg ml-dsa-44 -o "$keys/other-ml-dsa.pem"
"$TONGYU" keygen -q --alg sm2 -o "$keys/sm2.pem"
"$TONGYU" keygen -q --alg sm2 -o "$keys/other-sm2.pem"
tools/fw_sign.py --keys "$keys/ml-dsa/boot_keys.h" "$keys/ml-dsa.pem"
tools/fw_sign.py --keys "$keys/sm2/boot_keys.h" "$keys/sm2.pem"
tools/fw_sign.py --keys "$keys/both/boot_keys.h" "$keys/ml-dsa.pem" "$keys/sm2.pem"

# Checks a loader's image and how much flash it takes
loader() {  # build, which loader, limit in bytes
    image=build/fw-boot-$1/bin/boot-$2.elf
    build/fw-venv/bin/python -B tools/fw_check.py "$image"
    bytes=$(arm-none-eabi-size "$image" | awk 'END { print $1 }')
    echo "boot, $2, $1: $bytes bytes of flash"
    [ "$bytes" -le "$3" ] || {
        echo "boot.sh: that is more than $3, the limit for GCC 12;" \
            "arm-none-eabi-gcc here is $(arm-none-eabi-gcc -dumpversion)"
        exit 1
    }
}

for tier in m4 c small; do
    dir=build/fw-boot-$tier
    chosen="-DTY_TIER=$tier"
    [ $tier != small ] || chosen="-DTY_TIER=m4 -DTY_SMALL"
    { cmake -S . -B "$dir" -G Ninja --toolchain cmake/m4.cmake -DTONGYU_M4_FLOAT=hard \
        -DTONGYU_FREESTANDING=ON -DTONGYU_CLI=OFF \
        -DTONGYU_WERROR=ON -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_C_FLAGS_RELEASE=-UTY_TIER $chosen -DTY_PUBLIC_ONLY -Os -flto -g" \
            "-DTONGYU_BOOT_KEYS=$PWD/$keys" &&
      cmake --build "$dir" "$@" --target boot-ml-dsa boot-sm2 boot-both boot-mutants-ml-dsa \
      boot-mutants-sm2 boot-mutants-both boot-app
    } >"$dir.log" 2>&1 || { cat "$dir.log"; exit 1; }
    arm-none-eabi-objcopy -O binary "$dir/bin/boot-app.elf" "$dir/app.bin"
    build/fw-venv/bin/python -B tests/fw/test_boot.py "$dir" "$keys"
done
loader m4 ml-dsa 34304
loader m4 sm2 17408
loader m4 both 48128
loader c ml-dsa 14336
loader c sm2 18944
loader c both 30208
loader small ml-dsa 14336
loader small sm2 14336
loader small both 25600
