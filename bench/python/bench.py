"""The Python package compared with cryptography, hashlib, gmssl, tongsuopy and gmpy2.

    bench.py [--tier LEVEL] [WORD]
                             Measures the rows with WORD in their names, or, if WORD is `threads`,
                             compares two threads with one; without WORD, does both for all rows.
                             With a level, tongyu and C use no higher tiers: `--tier vaes` measures
                             what runs on a CPU without GFNI and AVX-512
    bench.py --pyperf -o FILE [options of pyperf]

Each row is measured in one process, in rounds in which our call, the same call in C and those of
other libraries take turns; times are CPU time of the thread. Minima are shown; the most reliable
figure is the ratio. With --pyperf the same calls are measured by pyperf, in separate processes. The
environment variable TONGYU_DIRECT names the library that is built from direct.c.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import tongyu
from tongyu import _tongyu, aead, mldsa, mp, sm2

Call = Callable[[], object]
ROUNDS = 40


class Direct:
    """A call of the C library, timed in C (direct.c), so that no Python is measured."""

    library: ctypes.CDLL | None = None

    def __init__(self, name: str, size: int = 0):
        self.timed, self.size = getattr(self.library, f"direct_{name}"), size
        self.timed.restype, self.timed.argtypes = ctypes.c_double, [ctypes.c_long] * 2

    def seconds(self, number: int) -> float:
        return self.timed(number, self.size) / number

    @classmethod
    def load(cls, level: str | None) -> None:
        path = os.environ.get("TONGYU_DIRECT")
        if path:
            cls.library = ctypes.CDLL(path)
            if cls.library.ty_tier_limit(level and level.encode()):
                sys.exit(f"bench: the C library does not know the level {level}")
            if cls.library.direct_init():
                sys.exit("bench: the C library could not generate its keys")

    @classmethod
    def row(cls, name: str, size: int = 0) -> dict[str, Direct]:
        return {"C": cls(name, size)} if cls.library else {}


def optional(name: str):
    try:
        return importlib.import_module(name)
    except Exception:
        return None


def seconds(call: Call | Direct, number: int) -> float:
    """CPU time of this thread per call, so that other work on the machine does not count."""
    if isinstance(call, Direct):
        return call.seconds(number)
    start = time.thread_time()
    for _ in range(number):
        call()
    return (time.thread_time() - start) / number


def number_for(call: Call | Direct) -> int:
    """The number of calls that take about two milliseconds, at least 1."""
    return max(1, int(0.002 / max(min(seconds(call, 1) for _ in range(3)), 1e-7)))


def minima(calls: dict[str, Call | Direct]) -> dict[str, float]:
    """The minimum time of each call in microseconds. In each round the calls take turns."""
    numbers = {name: number_for(call) for name, call in calls.items()}
    best = dict.fromkeys(calls, float("inf"))
    for i in range(ROUNDS):
        for name, call in calls.items():
            # slow calls, of more than a millisecond, are measured in five rounds only
            if i < 5 or numbers[name] > 1:
                best[name] = min(best[name], seconds(call, numbers[name]))
    return {name: s * 1e6 for name, s in best.items()}


prepare: dict[str, Call] = {}  # name of the row -> function to call before it is measured

# --- What is measured: name of the row -> {name of the library: call} -----------------------------


def rows_sm3() -> dict[str, dict[str, Call | Direct]]:
    rows = {}
    hashes = optional("cryptography.hazmat.primitives.hashes")
    for size in (64, 1024, 1 << 20):
        data = os.urandom(size)
        calls: dict[str, Call | Direct] = {"tongyu": lambda d=data: tongyu.sm3_digest(d)}
        calls |= Direct.row("sm3", size)
        calls["tongyu sm3().digest()"] = lambda d=data: tongyu.sm3(d).digest()
        if "sm3" in hashlib.algorithms_available:
            calls["hashlib"] = lambda d=data: hashlib.new("sm3", d).digest()
        if hashes:

            def theirs(d=data):
                h = hashes.Hash(hashes.SM3())
                h.update(d)
                return h.finalize()

            calls["cryptography"] = theirs
        rows[f"SM3 {size} B"] = calls
    return rows


def rows_gcm() -> dict[str, dict[str, Call | Direct]]:
    rows = {}
    ciphers = optional("cryptography.hazmat.primitives.ciphers")
    key, nonce = os.urandom(16), os.urandom(12)
    ours = aead.SM4GCM(key)
    for size in (16, 1024, 1 << 20):
        data = os.urandom(size)
        calls: dict[str, Call | Direct] = {"tongyu": lambda d=data: ours.encrypt(nonce, d, None)}
        calls |= Direct.row("gcm", size)
        out = bytearray(size + 16)
        calls["tongyu encrypt_into"] = lambda d=data, o=out: ours.encrypt_into(nonce, d, None, o)
        if ciphers:

            def theirs(d=data):
                run = ciphers.Cipher(
                    ciphers.algorithms.SM4(key), ciphers.modes.GCM(nonce)
                ).encryptor()
                return run.update(d) + run.finalize() + run.tag

            calls["cryptography"] = theirs
        rows[f"SM4-GCM seal {size} B"] = calls
    return rows


def rows_sm2() -> dict[str, dict[str, Call | Direct]]:
    key, data = sm2.SM2PrivateKey.generate(), os.urandom(64)
    pub, sig = key.public_key(), key.sign(data)
    verifier = pub.verifier()
    sign: dict[str, Call | Direct] = {"tongyu": lambda: key.sign(data)}
    verify: dict[str, Call | Direct] = {
        "tongyu": lambda: pub.verify(sig, data),
        "tongyu verifier": lambda: verifier.verify(sig, data),
    }
    sign |= Direct.row("sign")
    verify |= Direct.row("verify")
    gmssl, ec = optional("gmssl.sm2"), optional("tongsuopy.crypto.asymciphers.ec")
    if ec:
        hashes = optional("tongsuopy.crypto.hashes")
        other = ec.generate_private_key(ec.SM2())
        theirs = other.sign(data, ec.ECDSA(hashes.SM3()))
        sign["tongsuopy"] = lambda: other.sign(data, ec.ECDSA(hashes.SM3()))
        verify["tongsuopy"] = lambda: other.public_key().verify(
            theirs, data, ec.ECDSA(hashes.SM3())
        )
    if gmssl:
        crypt = gmssl.CryptSM2(
            private_key=key.scalar().hex(), public_key=pub.public_bytes("point").hex()[2:]
        )
        raw = crypt.sign_with_sm3(data)
        sign["gmssl"] = lambda: crypt.sign_with_sm3(data)
        verify["gmssl"] = lambda: crypt.verify_with_sm3(raw, data)
    return {"SM2 sign 64 B": sign, "SM2 verify 64 B": verify}


def rows_many() -> dict[str, dict[str, Call | Direct]]:
    """A thousand verifications, or signatures, in a batch; the figure is for all of them."""
    n = 1000
    msgs = [b"row %d" % i for i in range(n)]
    one = sm2.SM2PrivateKey.generate()
    many = [sm2.SM2PrivateKey.generate() for _ in range(n)]
    rows = {}
    for name, keys, pubs in (
        ("one key", one, one.public_key()),
        ("many keys", many, [k.public_key() for k in many]),
    ):
        flat = sm2.sign_many(keys, msgs)
        sigs = memoryview(flat).cast("B", (n, 64))
        call: Call = lambda s=sigs, p=pubs: sm2.verify_many(s, msgs, p, threads=1)
        direct = Direct.row("verify_many")
        rows[f"SM2 verify_many 1000, {name}"] = {"tongyu": call} | direct
        prepare[f"SM2 verify_many 1000, {name}"] = lambda one=name == "one key": (
            Direct.library and Direct.library.direct_jobs(one)
        )
    rows["SM2 sign_many 1000"] = {"tongyu": lambda: sm2.sign_many(one, msgs, threads=1)}
    return rows


def rows_mldsa() -> dict[str, dict[str, Call | Direct]]:
    key, data = mldsa.MLDSA65PrivateKey.generate(), os.urandom(64)
    pub, sig = key.public_key(), key.sign(data)
    signer, verifier = key.signer(), pub.verifier()
    sign: dict[str, Call | Direct] = {
        "tongyu": lambda: key.sign(data),
        "tongyu signer": lambda: signer.sign(data),
    }
    verify: dict[str, Call | Direct] = {
        "tongyu": lambda: pub.verify(sig, data),
        "tongyu verifier": lambda: verifier.verify(sig, data),
    }
    theirs = optional("cryptography.hazmat.primitives.asymmetric.mldsa")
    if theirs:
        other = theirs.MLDSA65PrivateKey.from_seed_bytes(key.private_bytes_raw())
        other_pub = other.public_key()
        sign["cryptography"] = lambda: other.sign(data)
        verify["cryptography"] = lambda: other_pub.verify(sig, data)
    return {"ML-DSA-65 sign": sign, "ML-DSA-65 verify": verify}


def rows_mp() -> dict[str, dict[str, Call | Direct]]:
    rows = {}
    gmpy2 = optional("gmpy2")
    for bits in (2048, 4096):
        m = int(mp.random_bits(bits)) | 1 | 1 << bits - 1
        b, e = int(mp.random_below(m)), int(mp.random_below(m))
        x = [mp.Integer(n) for n in (b, e, m)]
        calls: dict[str, Call | Direct] = {
            "tongyu": lambda x=x: mp.powmod_secret(*x),
            "tongyu from int": lambda v=(b, e, m): mp.powmod_secret(*v),
        }
        if gmpy2:
            calls["gmpy2"] = lambda y=tuple(map(gmpy2.mpz, (b, e, m))): gmpy2.powmod_sec(*y)
        calls["int"] = lambda v=(b, e, m): pow(*v)
        rows[f"powmod, secret exponent, {bits}"] = calls
    return rows


# --- Two threads --------------------------------------------------------------------------------


def speed(call: Call, threads: int, span: float = 0.3) -> float:
    """Calls per second of all threads together, each timed from its first call to its last."""
    rates = [0.0] * threads
    gate = threading.Barrier(threads)

    def work(i: int) -> None:
        gate.wait()
        start = now = time.perf_counter()
        count = 0
        while now < start + span:
            for _ in range(20):
                call()
            count += 20
            now = time.perf_counter()
        rates[i] = count / (now - start)

    all_threads = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for t in all_threads:
        t.start()
    for t in all_threads:
        t.join()
    return sum(rates)


def print_threads() -> None:
    key, gcm, data = sm2.SM2PrivateKey.generate(), aead.SM4GCM(bytes(16)), bytes(65536)
    print("\n| two threads relative to one, best of each | ratio |\n|---|---|")
    for name, call in (
        ("SM2 sign", lambda: key.sign(b"message")),
        ("SM4-GCM 64 KiB", lambda: gcm.encrypt(bytes(12), data)),
    ):
        pairs = [(speed(call, 1), speed(call, 2)) for _ in range(8)]
        print(f"| {name} | {max(two for _, two in pairs) / max(one for one, _ in pairs):.2f} |")


def print_table(rows: dict[str, dict[str, Call | Direct]]) -> None:
    print(
        "| us per call, minima | tongyu | others, and how many times faster tongyu is |\n"
        "|---|---|---|"
    )
    for name, calls in rows.items():
        prepare.get(name, lambda: None)()
        best = minima(calls)
        ours = best.pop("tongyu")
        others = ", ".join(
            f"{other} {us:.4g}"
            + (
                f" ({us / ours:.0%})"
                if other == "C"
                else ""
                if other.startswith("tongyu")
                else f" (**{us / ours:.1f}x**)"
            )
            for other, us in best.items()
        )
        print(f"| {name} | {ours:.4g} | {others or '-'} |", flush=True)


def import_ms() -> float:
    """Milliseconds of `import tongyu` in a fresh process, the minimum of ten."""
    code = ("import time; t = time.perf_counter(); import tongyu; print((time.perf_counter() - t) "
            "* 1000)")
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
        for _ in range(10)
    )


def by_pyperf(rows: dict[str, dict[str, Call | Direct]]) -> None:
    """Measure all calls by pyperf, except those timed in C."""
    import pyperf

    sys.argv.remove("--pyperf")
    runner = pyperf.Runner(program_args=(__file__, "--pyperf"))
    for name, calls in rows.items():
        for other, call in calls.items():
            if isinstance(call, Direct):
                continue
            runner.bench_func(f"{name}: {other}", call)


def main() -> None:
    level = None
    if sys.argv[1:2] == ["--tier"] and len(sys.argv) > 2:
        level = sys.argv.pop(2)
        sys.argv.pop(1)
        _tongyu._tier_limit(level)  # before any key is made, because keys keep their tier
    Direct.load(level)
    rows = rows_sm3() | rows_gcm() | rows_sm2() | rows_many() | rows_mldsa() | rows_mp()
    if "--pyperf" in sys.argv[1:]:
        by_pyperf(rows)
        return
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    rows = {name: calls for name, calls in rows.items() if word in name}
    if not rows and word != "threads":
        sys.exit(f"bench: no row has {word} in its name")
    chosen = ", ".join(f"{family} {tier}" for family, tier, _, used in tongyu.tiers() if used)
    print(f"Python {platform.python_version()}, tongyu {tongyu.version()}; {chosen}\n")
    if rows:
        print_table(rows)
    if word in ("", "threads"):
        print_threads()
    if word:
        return
    print(f"\nimport tongyu: {import_ms():.1f} ms")


if __name__ == "__main__":
    main()
