"""Threads: concurrent calls on the same objects; run also under ThreadSanitizer without the GIL."""

from __future__ import annotations

import contextlib
import sys
import threading

import pytest
from test_memory import CALLS, KEY, ML, PUB

import tongyu
from tongyu import _tongyu, aead, cmac, modes, mp


def together(count, work):
    """Runs `work` in `count` threads, which begin at the same time; raises the first exception."""
    gate, errors = threading.Barrier(count), []

    def run():
        try:
            gate.wait()
            work()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_gil():
    """If this Python can run without the GIL, these tests run without it."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return
    if "free-threading" in sys.version:
        pytest.fail("the GIL is on: a module that was imported requires it")
    pytest.skip("this Python always has its GIL")


def test_one_key():
    """Eight threads on one key, one hash, one integer."""
    gcm, running, pub = aead.SM4GCM(bytes(16)), tongyu.sm3(), KEY.public_key()
    verifier, chunk = pub.verifier(), bytes(5000)
    sealed = gcm.encrypt(bytes(12), chunk)
    number = mp.Integer(3) ** 2000

    def work():
        for _ in range(20):
            verifier.verify(KEY.sign(chunk), chunk)
            assert gcm.decrypt(bytes(12), sealed) == chunk
            running.update(chunk)
            running.update(b"short")
            assert number * number // number == number
            ML.public_key().verify(ML.sign(chunk), chunk)

    together(8, work)
    assert len(running.digest()) == 32


def test_updates_do_not_interleave():
    """Updates of one hash by several threads do not interleave: equal chunks give one digest."""
    running, chunk = tongyu.sm3(), b"x" * 4096

    def work():
        for _ in range(200):
            running.update(chunk)

    together(4, work)
    assert running.digest() == tongyu.sm3_digest(chunk * 800)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_call(call):
    together(8, lambda: [call() for _ in range(10)])


def test_exchange():
    """Four threads finish one exchange, and only one gets the key; four others check the
    confirmation."""
    ours, theirs = KEY.key_exchange("initiator"), KEY.key_exchange("responder")
    want, keys, turns = theirs.finish(PUB, ours.ephemeral), [], list(range(8))

    def finish():
        with contextlib.suppress(tongyu.Error):
            keys.append(ours.finish(PUB, theirs.ephemeral))

    def ask():
        for _ in range(100_000):
            with contextlib.suppress(tongyu.Error):
                return theirs.check(ours.confirmation)
        raise AssertionError("no thread finished the exchange")

    together(8, lambda: finish() if turns.pop() % 2 else ask())
    ours.check(theirs.confirmation)
    assert keys == [want]


def test_streams():
    """Objects that change, shared: each update is whole, and none is lost."""
    stream = modes.ctr(bytes(16)).encryptor(bytes(16))
    mac, mu = cmac.CMAC(bytes(16)), ML.public_key().mu()
    keyed, shake = tongyu.HMACSM3(b"key"), tongyu.shake_128()
    chunk = bytes(3000)

    def work():
        for _ in range(10):
            stream.update(chunk)
            for running in (mac, mu, keyed, shake):
                running.update(chunk)
            for running in (keyed, shake, mac):
                running.copy()
            keyed.digest(), shake.digest(10), mu.digest()

    together(8, work)
    assert mac.finalize() == cmac.cmac(bytes(16), chunk * 80)
    assert keyed.digest() == tongyu.hmac_sm3(b"key", chunk * 80)
    assert shake.digest(9) == tongyu.shake_128(chunk * 80).digest(9)
    ML.public_key().verify_mu(ML.sign(chunk * 80), mu.digest())
    more = modes.ctr(bytes(16)).encrypt(chunk * 80 + b"more", bytes(16))[-4:]
    assert stream.update(b"more") == more


def test_ledger():
    """Threads may verify columns with one ledger."""
    count = 300
    messages = [b"row %d" % i for i in range(count)]
    signatures = [KEY.sign(m, format="raw") for m in messages]
    points = [PUB.public_bytes("point")] * count
    ledger = _tongyu._column_ledger("sm2", 16)

    def work():
        for _ in range(5):
            good, reasons = _tongyu._column_verify(
                ledger, signatures, messages, points, None, "raw"
            )
            assert sum(map(int.bit_count, good)) == count and not any(reasons)

    together(8, work)
