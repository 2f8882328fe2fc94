#!/usr/bin/env python3
"""TLS 1.3 with the provider and OpenSSL's own, alternately: CPU seconds of both sides together.

    tls.py MODULE-DIRECTORY [OPENSSL]

1,000 full handshakes with a certificate of ML-DSA-65 (`openssl s_time -new` against s_server; from
3.5 on), and 1 GiB with TLS_SM4_GCM_SM3 (s_client to s_server; from 4.0 on). What this OpenSSL does
not have is omitted. The counters of the module show which provider did the work."""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
    sys.exit(__doc__.strip())
MODULE = os.path.abspath(sys.argv[1]) + "/tongyu.so"
OPENSSL = os.path.abspath(
    shutil.which(sys.argv[2] if len(sys.argv) > 2 else "openssl") or "openssl"
)
WHO = ("tongyu", "default")
SUITE = ("-ciphersuites", "TLS_SM4_GCM_SM3", "-groups", "curveSM2")
CONFIG = """openssl_conf = a
[a]
providers = b
alg_section = c
[b]
default = d
{tongyu}
[d]
activate = 1
[t]
module = {module}
activate = 1
statistics = {statistics}
[c]
{preferred}
"""


def count(what):
    """The value of a counter, or for an empty name the sum of all."""
    with open("statistics", "rb") as f:
        rows = struct.iter_unpack("=24sQ", f.read())
        return sum(n for name, n in rows if name.rstrip(b"\0").decode() == what or not what)


def environment(who):
    return dict(os.environ, OPENSSL_CONF=os.path.abspath(who + ".cnf"))


def run(who, *args):
    subprocess.run([OPENSSL, *args], env=environment(who), check=True, capture_output=True)


def cpu(process):
    """Waits for the process and returns its CPU seconds, user and system."""
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


def serve(who, port, *args):
    p = subprocess.Popen(
        [OPENSSL, "s_server", "-accept", str(port), "-quiet", *args],
        env=environment(who),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(200):  # no trial connection: s_server counts them
        time.sleep(0.05)
        with open("/proc/net/tcp6", encoding="ascii") as v6, open(
            "/proc/net/tcp", encoding="ascii"
        ) as v4:
            if re.search(f":{port:04X} [0-9A-F:]+ 0A ", v4.read() + v6.read()):
                return p
    sys.exit("s_server does not listen")


def handshakes(port):
    """CPU seconds per handshake, the minimum over the turns; at least 1,000 handshakes of each."""
    best, done = {}, dict.fromkeys(WHO, 0)
    while min(done.values()) < 1000:
        for who in WHO:
            before = count("mldsa-verify"), count("")
            server = serve(who, port, "-cert", "mldsa.crt", "-key", "mldsa.pem", "-www")
            client = subprocess.Popen(
                [
                    OPENSSL,
                    "s_time",
                    "-new",
                    "-time",
                    "3",
                    "-CAfile",
                    "mldsa.crt",
                    "-connect",
                    f"127.0.0.1:{port}",
                    "-www",
                    "/",
                ],
                env=environment(who),
                stdout=subprocess.PIPE,
                text=True,
                stderr=subprocess.DEVNULL,
            )
            text = client.stdout.read()
            used = cpu(client)
            server.terminate()
            used += cpu(server)
            n = int(re.search(r"(\d+) connections in [\d.]+ real", text).group(1))
            moved = count("mldsa-verify") - before[0], count("") - before[1]
            if (
                n == 0
                or (who == "tongyu") != (moved[0] >= n)
                or (who == "default") != (not moved[1])
            ):
                sys.exit(f"{n} handshakes of {who} moved the counters by {moved}")
            done[who] += n
            best[who] = min(best.get(who, 1e9), used / n)
    return best, done


def bulk(port, rounds=3):
    """CPU seconds of 1 GiB."""
    best = {}
    for _ in range(rounds):
        for who in WHO:
            before = count("sm4-encrypt-key"), count("")
            server = serve(
                who, port, "-cert", "sm2.crt", "-key", "sm2.pem", "-naccept", "1", *SUITE
            )
            data = subprocess.Popen(
                ["head", "-c", str(1 << 30), "/dev/zero"], stdout=subprocess.PIPE
            )
            client = subprocess.Popen(
                [
                    OPENSSL,
                    "s_client",
                    "-quiet",
                    "-no_ign_eof",
                    "-nocommands",
                    "-connect",
                    f"127.0.0.1:{port}",
                    *SUITE,
                ],
                env=environment(who),
                stdin=data.stdout,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            data.stdout.close()
            used = cpu(client) + cpu(server)
            data.wait()
            moved = count("sm4-encrypt-key") - before[0], count("") - before[1]
            if (who == "tongyu") != (moved[0] > 0) or (who == "default") != (not moved[1]):
                sys.exit(f"1 GiB of {who} moved the counters by {moved}")
            best[who] = min(best.get(who, 1e9), used)
    return best


def main():
    version = subprocess.run(
        [OPENSSL, "version"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ, OPENSSL_CONF="/dev/null"),
    ).stdout.split()[1]
    release = tuple(int(x) for x in version.split(".")[:2])
    with tempfile.TemporaryDirectory() as d:
        os.chdir(d)
        open("statistics", "wb").close()
        for who, tongyu in (("tongyu", "tongyu = t"), ("default", "")):
            with open(who + ".cnf", "w", encoding="utf-8") as f:
                f.write(
                    CONFIG.format(
                        tongyu=tongyu,
                        module=MODULE,
                        statistics=d + "/statistics",
                        preferred="default_properties = ?provider=tongyu" * bool(tongyu),
                    )
                )
        port = 20000 + os.getpid() % 20000
        print(f"OpenSSL {version}; CPU of both sides")
        if release >= (3, 5):
            run(
                "tongyu",
                "req",
                "-x509",
                "-newkey",
                "ML-DSA-65",
                "-noenc",
                "-keyout",
                "mldsa.pem",
                "-out",
                "mldsa.crt",
                "-subj",
                "/CN=localhost",
                "-days",
                "9",
            )
            best, done = handshakes(port)
            print(
                f"handshake, ML-DSA-65: tongyu {1e3 * best['tongyu']:.2f} ms, default "
                f"{1e3 * best['default']:.2f} ms, {best['default'] / best['tongyu']:.2f} times "
                f"({done['tongyu']} and {done['default']} handshakes)"
            )
        if release >= (4, 0):
            run("tongyu", "genpkey", "-algorithm", "SM2", "-out", "sm2.pem")
            run(
                "tongyu",
                "req",
                "-x509",
                "-new",
                "-key",
                "sm2.pem",
                "-sm3",
                "-out",
                "sm2.crt",
                "-subj",
                "/CN=localhost",
                "-days",
                "9",
            )
            best = bulk(port + 1)
            print(
                f"1 GiB, TLS_SM4_GCM_SM3: tongyu {best['tongyu']:.2f} s, default "
                f"{best['default']:.2f} s, {best['default'] / best['tongyu']:.2f} times"
            )
    return 0


sys.exit(main())
