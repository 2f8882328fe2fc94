"""completion: what bash, zsh and fish propose, tested in each shell that is installed."""

import os
import re
import unittest

import case
from case import TONGYU


class Completion(case.Case):
    """`offers` is what a shell proposes for the last word of a line; each shell has its own."""

    def setUp(self):
        super().setUp()
        for name in ("some-file", "with space", "sp ace"):
            self.write(name, "")
        (self.dir / "folder").mkdir()

    def check_all(self):
        for words, want in (
                (["ver"], {"verify", "version"}),
                (["sm2", ""], {"encrypt", "decrypt"}),
                (["sm2", "encrypt", "--format", "c"], {"c1c3c2", "c1c2c3"}),
                (["cipher", "--alg", "sm4-cb"], {"sm4-cbc"}),
                (["completion", "z"], {"zsh"}),
                (["speed", ""], {"sm2", "sm3", "sm4", "mldsa", "mp", "ecdsa", "keccak", "sha256",
                                 "sha512", "kdf",
                                 "sm2-field", "mp-table", "ec2m"}),
                (["help", "ver"], {"verify", "version"}),
                (["help", "sm2", ""], {"encrypt", "decrypt"}),
                (["help", "sm2", "dec"], {"decrypt"}),
                (["sign", "-k", "some"], {"some-file"}),
                (["hash", "some"], {"some-file"}),
                (["hash", "wi"], {"with space"}),
                (["sign", "-k", "sp"], {"sp ace"})):
            with self.subTest(words=words):
                self.assertEqual(set(self.offers(*words)), want)
        self.assertIn("--key", self.offers("sign", "--k"))
        self.assertIn("avx2", self.offers("hash", "--tier", "av"))
        self.assertEqual(self.offers("help", "sign", "x"), [])


class Bash(Completion):
    def offers(self, *words):
        line = " ".join(f"'{w}'" for w in ("tongyu", *words))
        p = self.exec(["bash", "-c",
                       f'source ./bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _tongyu; '
                       '((${#COMPREPLY[@]})) && printf "%s\\n" "${COMPREPLY[@]}"'])
        self.assertEqual(p.stderr, b"")
        return p.stdout.decode().splitlines()

    @case.needs("bash")
    def test_offers(self):
        self.write("bash", self.out("completion", "bash"))
        self.check_all()
        # bash splits --format=c1 into three words
        self.assertEqual(self.offers("sm2", "encrypt", "--format", "=", "c1c2"), ["c1c2c3"])
        self.assertEqual(len(self.offers("sm2", "encrypt", "--format", "=")), 3)


class Zsh(Completion):
    # A pseudo-terminal with the completion system; each proposal is also written to the file
    # offers, between < and >.
    SCRIPT = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; PROMPT=; setopt no_beep'
zpty -w z 'autoload -Uz compinit; compinit -u -d ./dump; source ./zsh'
zpty -w z 'compadd() { local -a o; builtin compadd -O o "$@"; print -rl -- "<"${^o}">" >>./offers'
zpty -w z '            builtin compadd "$@" }'
zpty -w z 'zstyle ":completion:*" list-max 0; zstyle ":completion:*" menu no; print ready > ./ready'
for i in {1..1200}; do [[ -s ready ]] && break; sleep 0.05; done
zpty -w -n z "$1"$'\t'
for i in {1..200}; do sleep 0.05; [[ -s offers ]] && break; done
touch offers; last=; while [[ "$(<offers)" != "$last" ]]; do last=$(<offers); sleep 0.3; done
zpty -d z
"""

    def offers(self, *words):
        for name in ("ready", "offers"):
            if name in self.files():
                os.unlink(self.dir / name)
        line = " ".join(["tongyu", *(w.replace(" ", "\\ ") for w in words)])
        self.exec(["zsh", "-f", "-c", self.SCRIPT, "zsh", line], env={"TERM": "dumb"})
        text = self.read("offers").decode() if "offers" in self.files() else ""
        return sorted({m.replace("\\ ", " ") for m in re.findall(r"^<(.+)>$", text, re.M)})

    @case.needs("zsh")
    def test_offers(self):
        self.write("zsh", self.out("completion", "zsh"))
        self.assertEqual(self.exec(["zsh", "-n", "zsh"]).returncode, 0)
        self.check_all()


class Fish(Completion):
    def offers(self, *words):
        line = " ".join(["tongyu", *(w.replace(" ", "\\ ") for w in words)])
        p = self.exec(["fish", "--no-config", "-c", f'source fish; complete -C "{line}"'],
                      env={"HOME": str(self.tmp),
                           "PATH": os.path.dirname(TONGYU) + ":" + os.environ["PATH"]})
        self.assertEqual(p.stderr, b"")
        return [l.split("\t")[0] for l in p.stdout.decode().splitlines()]

    @case.needs("fish")
    def test_offers(self):
        self.write("fish", self.out("completion", "fish"))
        self.assertEqual(self.exec(["fish", "-n", "fish"]).returncode, 0)
        self.check_all()


class Everywhere(case.Case):
    def test_every_verb_and_option(self):
        """All three scripts have every verb and option that --help lists."""
        for shell in ("bash", "zsh", "fish"):
            text = self.out("completion", shell).decode()
            listed = self.out("--help").decode().partition("Verbs:\n")[2].partition("\n\n")[0]
            for verb in re.findall(r"^  ([a-z0-9]+) ", listed, re.M):
                self.assertTrue(verb in text, verb)
                for name in re.findall(r"--([a-z-]+)",
                                       self.out(verb, "--help").decode().partition("Examples")[0]):
                    self.assertTrue(name in text, f"{verb} --{name}")


del Completion  # no tests of its own

if __name__ == "__main__":
    case.main()
