"""At a terminal: passwords without echo, the progress bar, binary data kept off the screen."""

import os
import pty
import resource
import select
import signal
import termios
import time
import unittest

import case
from case import GOOD, QUICK, REFUSED, TONGYU, USAGE


def no_terminals():
    """The reason why no pseudo-terminal can be opened, or None; a chroot may lack /dev/pts."""
    try:
        for fd in pty.openpty():
            os.close(fd)
    except OSError as e:
        return f"no pseudo-terminals: {e}"


@unittest.skipIf(no_terminals(), no_terminals() or "")
class Terminal(case.Case):
    def session(self, args, answers=(), feed=None):
        """Run tongyu on a terminal of its own, answer each prompt; returns (exit status, all that
        was shown)."""
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.dir)
            os.environ["TMPDIR"] = str(self.tmp)
            if feed is not None:
                os.dup2(feed, 0)
            os.execv(TONGYU, [TONGYU, *args])
        shown, answers, until = b"", list(answers), time.time() + 60
        while time.time() < until:
            if not select.select([fd], [], [], 0.5)[0]:
                continue
            try:
                chunk = os.read(fd, 4096)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            shown += chunk
            if b"MB/s" in shown:
                self.write("seen", "")
            if answers and shown.rstrip(b" ").endswith((b":", b">")):
                os.write(fd, answers.pop(0).encode() + b"\n")
                shown += b"\n"
        else:
            os.kill(pid, signal.SIGKILL)
            self.fail(f"did not finish: {shown!r}")
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(fd)
        return status, shown.decode()

    def test_passwords_are_asked_for_and_not_shown(self):
        status, shown = self.session(["keygen", "--encrypt", *QUICK, "-o", "k.pem"],
                                     ["open sesame", "open sesame"])
        self.assertEqual(status, GOOD, shown)
        self.assertNotIn("sesame", shown)
        status, shown = self.session(["pubkey", "k.pem", "-o", "p.pem"], ["open sesame"])
        self.assertEqual(status, GOOD, shown)
        self.assertNotIn("sesame", shown)
        self.write("pass", "open sesame\n")  # the same bytes as those that were typed
        self.ty("pubkey", "k.pem", "--password-file", "pass", "-o", "p3.pem")
        status, shown = self.session(["pubkey", "k.pem", "-o", "p2.pem"], ["wrong"])
        self.assertEqual(status, REFUSED, shown)
        status, shown = self.session(["keygen", "--encrypt", *QUICK, "-o", "k2.pem"],
                                     ["one", "two"])
        self.assertEqual(status, USAGE, shown)
        self.assertNotIn("k2.pem", self.files())

    def test_a_signal_restores_the_echo(self):
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
            pid, fd = pty.fork()
            if pid == 0:
                os.chdir(self.dir)
                hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
                resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
                os.execv(TONGYU, [TONGYU, "keygen", "--encrypt", *QUICK, "-o", "k.pem"])
            echoes = lambda: bool(termios.tcgetattr(fd)[3] & termios.ECHO)
            until = time.time() + 60
            while echoes() and time.time() < until:
                time.sleep(0.01)
            self.assertFalse(echoes(), "never asked")
            if sig == signal.SIGINT:
                os.write(fd, b"half a passw\x03")  # Ctrl-C
            else:
                os.kill(pid, sig)
            # The terminal is examined before the process is waited for: it may disappear with its
            # last process.
            while not echoes() and time.time() < until:
                time.sleep(0.01)
            self.assertTrue(echoes(), sig)
            status = os.waitpid(pid, 0)[1]
            self.assertEqual(os.waitstatus_to_exitcode(status), -sig)
            self.assertFalse(os.WCOREDUMP(status), "a core file would contain what was typed")
            os.close(fd)
        self.assertEqual(self.files(), [])

    def test_one_end_of_input(self):
        """One Ctrl-D at the beginning of a line ends the input."""
        self.keys()
        for args in (["hash"], ["sign", "--hex", "-k", "key.pem"],
                     ["encrypt", "-k", "key.pub", "-o", "f.ty"]):
            pid, fd = pty.fork()
            if pid == 0:
                os.chdir(self.dir)
                os.execv(TONGYU, [TONGYU, *args])
            os.write(fd, b"typed\n\x04")
            until = time.time() + 60
            while time.time() < until:
                try:
                    if select.select([fd], [], [], 0.1)[0]:
                        os.read(fd, 4096)
                except OSError:
                    pass
                done, status = os.waitpid(pid, os.WNOHANG)
                if done:
                    break
                time.sleep(0.01)
            else:
                os.kill(pid, signal.SIGKILL)
                self.fail(f"{args} waits for another Ctrl-D")
            os.close(fd)
            self.assertEqual(os.waitstatus_to_exitcode(status), GOOD, args)

    def test_a_newline_after_ctrl_c(self):
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.dir)
            os.execv(TONGYU, [TONGYU, "keygen", "--encrypt", *QUICK, "-o", "k.pem"])
        shown = b""
        while not shown.endswith(b": "):
            shown += os.read(fd, 4096)
        while termios.tcgetattr(fd)[3] & termios.ECHO:
            time.sleep(0.01)
        os.write(fd, b"\x03")
        os.waitpid(pid, 0)
        while select.select([fd], [], [], 0.2)[0]:
            try:
                shown += os.read(fd, 4096)
            except OSError:
                break
        os.close(fd)
        self.assertTrue(shown.endswith(b"\n"), shown)

    def test_sealing_under_a_password(self):
        self.write("f", "hello")
        status, shown = self.session(["encrypt", "--password", *QUICK, "-o", "f.ty", "f"],
                                     ["abc", "abc"])
        self.assertEqual(status, GOOD, shown)
        status, shown = self.session(["decrypt", "--password", "f.ty"], ["abc"])
        self.assertEqual(status, GOOD, shown)
        self.assertIn("hello", shown)

    def test_binary_is_kept_off_the_screen(self):
        self.keys()
        self.write("f", "hello")
        for args in (["encrypt", "-k", "key.pub", "f"], ["sign", "-k", "key.pem", "f"],
                     ["sm2", "encrypt", "-k", "key.pub", "f"],
                     ["pubkey", "--format", "der", "key.pem"],
                     ["exchange", "start", "--state", "-", "-o", "1"]):
            status, shown = self.session(args)
            self.assertEqual(status, USAGE, shown)
            self.assertIn("terminal", shown)

    def test_the_secret_of_an_exchange_is_kept_off_the_screen(self):
        """It is neither shown nor mixed with JSON, and the state is left for another attempt."""
        for name in ("a", "b"):
            self.keys(name)
        parties = {"a": ["-k", "a.pem", "-p", "b.pub"], "b": ["-k", "b.pem", "-p", "a.pub"]}
        def refused(option, *args):
            status, shown = self.session(["exchange", *args, option, "-"])
            self.assertEqual(status, USAGE, shown)
            self.assertIn(f"stdout is a terminal; name an output file with {option}", shown)
            told = self.json("exchange", *args, option, "-", exit=USAGE)
            self.assertEqual(told["hint"], f"name an output file with {option}")
        refused("--state", "start", "-o", "1")
        self.ty("exchange", "start", "--state", "a.st", "-o", "1")
        refused("--state", "reply", *parties["b"], "-o", "2", "1")
        self.ty("exchange", "reply", *parties["b"], "--state", "b.st", "-o", "2", "1")
        refused("--secret", "finish", *parties["a"], "--state", "a.st", "-o", "3", "2")
        self.assertNotIn("3", self.files())
        self.ty("exchange", "finish", *parties["a"], "--state", "a.st", "--secret", "ka", "-o", "3",
                "2")
        refused("--secret", "confirm", "--state", "b.st", "3")
        secret = self.out("exchange", "confirm", "--state", "b.st", "--secret", "-", "3")
        self.assertEqual(secret, self.read("ka"))   # into a pipe

    def test_calc_asks_until_quit(self):
        status, shown = self.session(["calc"], ["6 * 7", "foo", "help", "_ + 1", "quit"])
        self.assertEqual(status, GOOD, shown)
        for text in ("quit ends", "42", "'foo' is not defined", "nextprime(n)", "43"):
            self.assertIn(text, shown)

    def test_progress(self):
        """A slow input: nothing in the first second, then a bar, which is gone at the end."""
        self.write("f", "x")
        for args in (["hash"], ["hash", "--quiet"], ["hash", "f", "-"]):
            r, w = os.pipe()
            (self.dir / "seen").unlink(missing_ok=True)
            if os.fork() == 0:
                os.close(r)
                end = time.monotonic() + (1.5 if args == ["hash", "--quiet"] else 60)
                while not os.path.exists(self.dir / "seen") and time.monotonic() < end:
                    os.write(w, bytes(1024 * 256))
                    time.sleep(0.1)
                os._exit(0)
            os.close(w)
            status, shown = self.session(args, feed=r)
            os.close(r)
            os.wait()
            self.assertEqual(status, GOOD, shown)
            self.assertEqual("MB/s" in shown, "--quiet" not in args, shown)
            # one bar for all
            self.assertEqual("2 files" in shown, args == ["hash", "f", "-"], shown)


if __name__ == "__main__":
    case.main()
