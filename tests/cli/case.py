"""What the tests of the command share: a scratch directory, and ways to run `tongyu` and `openssl`
in it."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

TONGYU = os.path.abspath(os.environ.get("TONGYU", "build/release/bin/tongyu"))
SOURCE = pathlib.Path(os.environ.get("TONGYU_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
OPENSSL = shutil.which("openssl")
SANITIZED = bool(os.environ.get("TONGYU_SANITIZED"))
QUICK = ["--iterations", "1000"]  # fast PBKDF2, for tests
# imitates a filesystem without O_TMPFILE, where every temporary file has a name
OLD_FILES = {"LD_PRELOAD": os.environ.get("TONGYU_NO_TMPFILE", "")}
EVERYTHING = bool(os.environ.get("TONGYU_ALL_TIERS"))   # a skipped test is a failure
GOOD, REFUSED, USAGE, INPUT, INTERNAL = range(5)


def needs(tool):
    """A decorator: the test is skipped where the tool is missing, unless everything must run."""
    return unittest.skipUnless(shutil.which(tool) or EVERYTHING, f"no {tool} here")


class Case(unittest.TestCase):
    """Each test runs in an empty directory; TMPDIR is another empty one, so that leftovers are
    seen."""

    def setUp(self):
        self._dir = tempfile.TemporaryDirectory(prefix="tongyu-test-")
        self.addCleanup(self._dir.cleanup)
        self.dir = pathlib.Path(self._dir.name) / "work"
        self.tmp = pathlib.Path(self._dir.name) / "tmp"
        self.dir.mkdir()
        self.tmp.mkdir()
        self.env = dict(os.environ, TMPDIR=str(self.tmp), LC_ALL="C.UTF-8")

    def write(self, name, data):
        (self.dir / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return name

    def read(self, name):
        return (self.dir / name).read_bytes()

    def files(self):
        return sorted(p.name for p in self.dir.iterdir())

    def exec(self, argv, stdin=b"", env=None):
        # A new session has no terminal, so that nothing can stop and ask for a password.
        return subprocess.run([str(a) for a in argv], input=stdin, cwd=self.dir,
                              env=dict(self.env, **(env or {})),
                              capture_output=True, start_new_session=True, timeout=600)

    def ty(self, *args, exit=GOOD, stdin=b"", env=None):
        """Run tongyu, expect this exit status, return the finished process."""
        p = self.exec([TONGYU, *args], stdin, env)
        shown = (f"tongyu {' '.join(map(str, args))}\n{p.stdout[-2000:]!r}\n"
                 f"{p.stderr.decode(errors='replace')}")
        self.assertEqual(p.returncode, exit, shown)
        if exit in (REFUSED, USAGE, INPUT, INTERNAL):
            self.assertNotRegex(p.stderr, b"unexpected(: | result)")   # a defect of the command
        return p

    def out(self, *args, **kw):
        return self.ty(*args, **kw).stdout

    def err(self, *args, exit, **kw):
        """Run tongyu, expect it to fail with one line on stderr of the form `tongyu: what happened;
        what next`."""
        p = self.ty(*args, exit=exit, **kw)
        lines = p.stderr.decode().splitlines()
        self.assertTrue(lines and lines[-1].startswith("tongyu: "), p.stderr)
        self.assertEqual(len([l for l in lines if not l.startswith("tongyu: warning: ")]), 1,
                         p.stderr)
        return lines[-1]

    def json(self, *args, exit=GOOD, **kw):
        """Run tongyu --json: stdout is exactly one object on one line."""
        text = self.ty("--json", *args, exit=exit, **kw).stdout.decode()
        self.assertEqual(text.count("\n"), 1, text)
        value = json.loads(text)
        self.assertIsInstance(value, dict)
        if exit:
            self.assertEqual(value["exit"], exit)
            self.assertIsInstance(value["error"], str)
        else:
            self.assertNotIn("error", value)
        return value

    def ssl(self, *args, ok=True, stdin=b""):
        p = self.exec([OPENSSL, *args], stdin)
        if ok:
            shown = f"openssl {' '.join(map(str, args))}\n{p.stderr.decode(errors='replace')}"
            self.assertEqual(p.returncode, 0, shown)
        return p

    def keys(self, name="key"):
        self.ty("keygen", "-o", f"{name}.pem", "--pub", f"{name}.pub")
        return f"{name}.pem", f"{name}.pub"

    def mode(self, name):
        return (self.dir / name).stat().st_mode & 0o777


def cpu_time():
    """The CPU time of all finished child processes, which other programs do not change much."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(needs_openssl=False):
    if needs_openssl and not OPENSSL:
        print("SKIPPED: the openssl command is not installed; nothing was compared with it",
              file=sys.stderr)
        sys.exit(1 if EVERYTHING else 77)  # where everything must run, this is a failure
    unittest.main(verbosity=2)
