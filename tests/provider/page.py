#!/usr/bin/env python3
"""The commands of docs/openssl.md work: all are run, in order, with the stanza of the page. The
output of `tongyu doctor` is right. The page's settings for other programs are in clients*.sh.

TONGYU, TONGYU_PROVIDER_DIR and TONGYU_SOURCE name the command, the module's directory and the
sources.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TONGYU, MODULE = (
    os.path.abspath(os.environ["TONGYU"]),
    os.path.abspath(os.environ["TONGYU_PROVIDER_DIR"]) + "/tongyu.so",
)
HERE = pathlib.Path(__file__).resolve().parent
PAGE = (pathlib.Path(os.environ["TONGYU_SOURCE"]) / "docs/openssl.md").read_text()
# A configuration like a distribution's: its other sections follow those that OpenSSL reads first.
DISTRIBUTION = """openssl_conf = openssl_init
config_diagnostics = 1
[ openssl_init ]
# providers = provider_sect
ssl_conf = system
[ system ]
system_default = tls
[ tls ]
MinProtocol = TLSv1.2
[ req ]
distinguished_name = dn
prompt = no
[ dn ]
CN = a
"""
faults = []


def run(command, config, **more):
    env = dict(
        os.environ, OPENSSL_CONF=config, PATH=os.path.dirname(TONGYU) + ":" + os.environ["PATH"]
    )
    quiet = {"capture_output": True, "stdin": subprocess.DEVNULL, "text": True}
    return subprocess.run(command, env=env, **quiet, **more)


def expect(what, holds, detail=""):
    if not holds:
        faults.append(f"{what}: {detail}")


def main():
    if not shutil.which("openssl"):
        print("SKIPPED: no openssl command")
        return 77
    stanza = re.search(r"```ini\n(.*?)```", PAGE, re.S).group(1)
    module_line = re.search(r"^module = .*$", stanza, re.M).group(0)
    with tempfile.TemporaryDirectory() as d:
        os.chdir(d)
        with open("letter.txt", "w", encoding="utf-8") as f:
            f.write("a letter\n")
        counts = d + "/counts"
        extra = "\n[req]\ndistinguished_name = dn\n[dn]\n"
        section = stanza.index("[openssl_init]")
        ours = stanza[section:].replace(module_line, f"module = {MODULE}")
        configs = {
            "appended": DISTRIBUTION + ours,
            "alone": stanza[:section] + f".include {d}/distribution.cnf\n" + ours,
            "distribution": DISTRIBUTION,
            "on": stanza.replace(module_line, f"module = {MODULE}\nstatistics = {counts}") + extra,
            "broken": stanza.replace(module_line, "module = /nowhere/tongyu.so") + extra,
            "unpreferred": stanza.replace(module_line, f"module = {MODULE}").replace(
                "default_properties = ?provider=tongyu", ""
            )
            + extra,
            "off": extra,
        }
        for name, text in configs.items():
            with open(name + ".cnf", "w", encoding="utf-8") as f:
                f.write(text)
        blocks = [
            b for b in re.findall(r"```sh\n(.*?)```", PAGE, re.S) if "cmake" not in b
        ]  # the test build-install runs that one
        script = "\n".join(blocks)
        expect("the page has commands", script.count("openssl ") > 8, script)
        p = run(["bash", "-euo", "pipefail", "-c", script], d + "/on.cnf")
        expect("the page's commands", p.returncode == 0, p.stdout[-1000:] + p.stderr[-1000:])

        # Every setting that the page gives for servers and clients is in the scripts that run them.
        scripts = "".join((HERE / n).read_text() for n in ("clients.sh", "clients_tls.sh"))
        info = (
            re.findall(r"```(?:nginx|haproxy|stunnel)\n(.*?)```", PAGE, re.S)
            + re.findall(r"```ini\n(.*?)```", PAGE, re.S)[1:]
        )
        lines = [line.strip() for block in info for line in block.splitlines()]
        expect("settings of programs", len(lines) >= 10, lines)
        for line in lines:
            expect("a setting that no test runs", line in scripts, line)

        p = run([TONGYU, "doctor", "--json", "--statistics", counts], d + "/on.cnf")
        info = json.loads(p.stdout)
        expect("doctor, on", p.returncode == 0 and info["libraries"][0]["well"], p.stdout)
        expect(
            "doctor's statistics",
            info["statistics"]["sm2-sign"] > 0 and info["statistics"]["mldsa-keygen"] > 0,
            p.stdout,
        )
        p = run([TONGYU, "doctor", "--json"], d + "/off.cnf")
        info = json.loads(p.stdout)
        expect("doctor, off", p.returncode == 1 and not info["libraries"][0]["active"], p.stdout)
        expect(
            "doctor's advice",
            "next" in info["libraries"][0]
            and "default_properties = ?provider=tongyu" in info["stanza"],
            p.stdout,
        )
        # The stanza appended to a file like Debian's, or in a separate file that includes that one.
        request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc"
        request = [*request.split(), "-keyout", "k.pem", "-out", "c.pem"]
        for name in "appended", "alone":
            p = run([TONGYU, "doctor", "--json"], f"{d}/{name}.cnf")
            info = json.loads(p.stdout)
            expect(f"doctor, {name}", p.returncode == 0 and info["libraries"][0]["well"], p.stdout)
            p = run(request, f"{d}/{name}.cnf")
            expect(f"req, {name}", p.returncode == 0, p.stderr)
        p = run(request, d + "/distribution.cnf")
        expect("req, the distribution's file", p.returncode == 0, p.stderr)
        p = run([TONGYU, "doctor", "--json"], d + "/distribution.cnf")
        expect("doctor, the distribution's file", p.returncode == 1, p.stdout)
        p = run([TONGYU, "doctor", "--json"], d + "/unpreferred.cnf")
        info = json.loads(p.stdout)
        expect(
            "doctor, not preferred",
            p.returncode == 1
            and info["libraries"][0]["active"]
            and info["libraries"][0]["winners"]["MD SM3"] == "default",
            p.stdout,
        )
        p = run(
            [TONGYU, "doctor", "--json"], d + "/broken.cnf"
        )  # the openssl command ignores such a module silently
        expect(
            "doctor, a module that does not load",
            p.returncode == 1 and not json.loads(p.stdout)["libraries"][0]["active"],
            p.stdout,
        )
        whole = pathlib.Path(counts).read_bytes()
        for name, data in {
            "cut": whole[:-32],
            "longer": whole + whole[:32],
            "escape": b"\x1b[2J" + whole[4:],
            "nameless": b"\0" * len(whole),
        }.items():
            pathlib.Path(name).write_bytes(data)
        for name in "letter.txt", "cut", "longer", "escape", "nameless", "/dev/zero", ".":
            p = run([TONGYU, "doctor", "--statistics", name], d + "/on.cnf", timeout=60)
            expect(
                f"doctor, {name} for statistics",
                p.returncode == 3
                and "not a file of statistics" in p.stderr
                and "\x1b[2J" not in p.stdout,
                p.stderr,
            )
        p = run([TONGYU, "doctor", "--statistics", "missing"], d + "/on.cnf")
        expect("doctor, no statistics", p.returncode == 3 and "No such file" in p.stderr, p.stderr)
        # The stanza that doctor prints is the page's.
        p = run([TONGYU, "doctor"], d + "/off.cnf")
        plain = lambda text: [
            line for line in text.splitlines() if line and not line.startswith("module")
        ]
        expect("doctor's stanza", "\n".join(plain(stanza)) in "\n".join(plain(p.stdout)), p.stdout)
    for f in faults:
        print(f, file=sys.stderr)
    print(f"docs/openssl.md: {len(blocks)} blocks of commands ran; {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
