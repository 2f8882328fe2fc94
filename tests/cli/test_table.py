"""What changed for users: each row is a command, with the exit status and first line of its output
before and now.

    test_table.py --write BEFORE NOW      prints the rows with the output of these binaries
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import case
import table_of_keys

SETUP = """
umask 077
tongyu keygen -o key.pem --pub pub.pem
tongyu keygen -o other.pem --pub other.pub
tongyu keygen -o third.pem --pub third.pub
printf abc > a; printf abd > b; printf x > ./-x
printf 'raw key' > raw.key; echo secret > pw; echo 000102 > digits
mkdir out
tongyu hash --alg sha256 a b > sums
sed 's/a$/gone/' sums > missing
openssl dgst -sha256 a > bsd; (cat sums; echo nonsense) > mixed
tongyu encrypt -k pub.pem -o a.ty a
head -c 300000 /dev/zero | tongyu encrypt -k pub.pem -o big.ty
tongyu sign -k key.pem -o old.sig a
cp key.pem open.pem; chmod 644 open.pem
printf '%064d' 7 > digest
"""

# command, (status, first line) before (commit 31da61c), and now
ROWS = [
    ("tongyu sign --raw -k key.pem '' | wc -c",
     (0, '64'),
     (2, 'tongyu: sign: an empty argument; name a file (- is stdin or stdout), or '
      'omit it')),
    ('tongyu hash a -- -x',
     (2, 'tongyu: hash: too much on the line: ; see tongyu hash --help'),
     (0, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0  a')),
    ('tongyu hash -- a -x',
     (0, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0  a'),
     (0, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0  a')),
    ('tongyu encrypt -k pub.pem -k pub.pem -o x a',
     (0, ''),
     (2, 'tongyu: pub.pem: the same key as pub.pem, so one reader is named twice; '
      'omit one of them')),
    ('tongyu sign -k open.pem --hex -o open.sig a',
     (0, ''),
     (0, 'tongyu: warning: open.pem: a private key that others can read; chmod 600 '
      'open.pem makes it private')),
    ('tongyu inspect open.pem | sed -n 1p',
     (0, 'file         open.pem'),
     (0, 'tongyu: warning: open.pem: a private key that others can read; chmod 600 '
      'open.pem makes it private')),
    ('tongyu sign -k key.pem a b',
     (2, 'tongyu: sign: too much on the line: b; see tongyu sign --help'),
     (0, '2 files signed')),
    ('tongyu verify -k pub.pem a b',
     (2, 'tongyu: verify: --signature FILE is missing (Signature file: DER, r||s or '
      'an ML-DSA signature, or the digits of either); see tongyu verify --help'),
     (0, '2 files verified')),
    ('tongyu sign -k key.pem -f a none b',
     (2, 'tongyu: sign: too much on the line: none b; see tongyu sign --help'),
     (1, 'tongyu: none: no such file or directory; check the name and its permissions')),
    ('tongyu sign -f -k key.pem a ./a',
     (2, 'tongyu: sign: too much on the line: ./a; see tongyu sign --help'),
     (2, 'tongyu: ./a.sig: two outputs in one file; give each its own name')),
    ('tongyu sign --beside -f -k key.pem a',
     (2, 'tongyu: sign: unknown option --beside; see tongyu sign --help'),
     (0, '1 file signed')),
    ('tongyu verify -k pub.pem a',
     (2, 'tongyu: verify: --signature FILE is missing (Signature file: DER, r||s or '
      'an ML-DSA signature, or the digits of either); see tongyu verify --help'),
     (0, 'a: OK')),
    ('tongyu encrypt -k pub.pem b third.pub',
     (2, 'tongyu: encrypt: too much on the line: third.pub; see tongyu encrypt --help'),
     (0, '2 files sealed')),
    ('tongyu decrypt -k key.pem -o out a.ty big.ty',
     (2, 'tongyu: decrypt: too much on the line: big.ty; see tongyu decrypt --help'),
     (0, '2 files opened')),
    ('tongyu encrypt -f -k pub.pem -o out a ./a',
     (2, 'tongyu: encrypt: too much on the line: ./a; see tongyu encrypt --help'),
     (2, 'tongyu: out/a.ty: two outputs in one file; give each its own name')),
    ('tongyu hash a none b',
     (3, 'tongyu: none: no such file or directory; check the name and its permissions'),
     (1, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0  a')),
    ('tongyu hash none',
     (3, 'tongyu: none: no such file or directory; check the name and its permissions'),
     (1, 'tongyu: none: no such file or directory; check the name and its permissions')),
    ('tongyu hash --jobs 2 a b',
     (2, 'tongyu: hash: unknown option --jobs; see tongyu hash --help'),
     (0, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0  a')),
    ('tongyu hash --no-names a',
     (2, 'tongyu: hash: unknown option --no-names; see tongyu hash --help'),
     (0, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0')),
    ('tongyu hash --raw a | od -An -tx1',
     (2, 'tongyu: hash: unknown option --raw; see tongyu hash --help'),
     (0, ' 66 c7 f0 f4 62 ee ed d9 d1 f2 d4 6b dc 10 e4 e2')),
    ("tongyu hash -z a | tr '\\0' '!'",
     (2, 'tongyu: hash: unknown option -z; see tongyu hash --help; or put -- before '
      'what is none'),
     (0, '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0  a!')),
    ('tongyu hash --alg sha256 -c sums',
     (0, 'a: OK'),
     (0, 'a: OK')),
    ('tongyu hash -c sums',
     (1, 'tongyu: 2 of 2 file(s) do not match; get them again or make a new list'),
     (1,
      'tongyu: sums: 2 of 2 files do not match; get the files again, make a new list, or name its '
      'algorithm with --alg')),
    ('tongyu hash --alg sha256 -c missing',
     (3, 'tongyu: gone: no such file or directory; check the name and its permissions'),
     (1, 'tongyu: gone: no such file or directory; check the name and its permissions')),
    ('tongyu hash -c bsd',
     (3, 'tongyu: bsd: no line of the form "digest  name"; make the list with tongyu '
      'hash'),
     (0, 'a: OK')),
    ('tongyu hash --alg sha256 -c --strict mixed',
     (2, 'tongyu: hash: unknown option --strict; see tongyu hash --help'),
     (1, 'tongyu: mixed: 1 line is not in a known format; --warn shows it')),
    ('tongyu hash --alg sha256 -cw mixed',
     (2, 'tongyu: hash: unknown option -w; see tongyu hash --help; or put -- before '
      'what is none'),
     (0, 'tongyu: mixed: line 3: not a line of a list of digests')),
    ('tongyu hash -c none',
     (3, 'tongyu: none: no such file or directory; check the name and its permissions'),
     (1, 'tongyu: none: no such file or directory; check the name and its permissions')),
    ('tongyu hash --alg shake128 --length 5 a',
     (2, 'tongyu: hash: unknown option --length; see tongyu hash --help'),
     (0, '5881092dd8  a')),
    ('tongyu encrypt --armor -k pub.pem a',
     (2, 'tongyu: encrypt: unknown option --armor; see tongyu encrypt --help'),
     (0, '-----BEGIN TONGYU SEALED FILE-----')),
    ('tongyu encrypt --recipients digits -o y a',
     (2, 'tongyu: encrypt: unknown option --recipients; see tongyu encrypt --help'),
     (3, 'tongyu: 000102: no such file or directory; check the name and its permissions')),
    ('tongyu decrypt -k other.pem -k key.pem a.ty',
     (2, 'tongyu: decrypt: --key was given 2 times; once is enough'),
     (0, 'abc')),
    ('tongyu decrypt -k other.pem -k third.pem a.ty',
     (2, 'tongyu: decrypt: --key was given 2 times; once is enough'),
     (1, 'tongyu: a.ty: not sealed for any of these keys; use another key with -k')),
    ('tongyu decrypt --stream -k key.pem a.ty',
     (2, 'tongyu: decrypt: unknown option --stream; see tongyu decrypt --help'),
     (0, 'abc')),
    ('head -c 200000 big.ty | tongyu decrypt --stream -k key.pem | wc -c',
     (2, 'tongyu: decrypt: unknown option --stream; see tongyu decrypt --help'),
     (1, 'tongyu: -: damaged, cut or altered (in the chunk at byte 196608); the '
      '196608 bytes before it were released, and are not all of the file: do not '
      'use them, and get the file again')),
    ('tongyu decrypt --stream -k key.pem -o z a.ty',
     (2, 'tongyu: decrypt: unknown option --stream; see tongyu decrypt --help'),
     (2, 'tongyu: --stream is for pipes and devices: an output file appears when it '
      'is complete; omit --stream, or -o')),
    ('tongyu encrypt --kdf scrypt --memory 1 --password-file pw -o s.ty a; tongyu '
     'decrypt --password-file pw s.ty',
     (3, 'tongyu: encrypt: unknown option --kdf; see tongyu encrypt --help'),
     (0, 'abc')),
    ('tongyu inspect a.ty | sed -n 2p',
     (3, 'tongyu: a.ty: a sealed file, and this needs a key; open it with tongyu '
      'decrypt'),
     (0, 'kind         sealed file')),
    ('tongyu inspect old.sig | sed -n 2p',
     (3, 'tongyu: old.sig: not a key in PKCS#8, SEC1 or SubjectPublicKeyInfo form; '
      'check that it is the right file'),
     (0, 'kind         signature of SM2 or ECDSA')),
    ('tongyu inspect --json pub.pem | grep -o \'"type":"[a-z-]*"\'',
     (1, ''),
     (0, '"type":"public-key"')),
    ('tongyu kdf pbkdf2 --hash sha256 --password-file pw --salt-hex 00 --iterations '
     '1000',
     (2, 'tongyu: kdf: unknown option --hash; see tongyu kdf --help'),
     (0, '73831ba7d6b44f8942c81df4ba6b2b53bf83c4aa01117254bd1f50cb829d3b7b')),
    ('tongyu kdf hkdf --hash sha512 --key-file digits --length 16',
     (2, 'tongyu: kdf: unknown option --hash; see tongyu kdf --help'),
     (0, '11ceab66663cebb142ffa8624fb3f19d')),
    ('tongyu mac --alg hmac-sha256 --key-bytes raw.key a',
     (2, 'tongyu: mac: unknown option --key-bytes; see tongyu mac --help'),
     (0, 'f6fcad988f81f8da500079e63c9538b52363d9feac8c37c4488a01e4fe0753c4  a')),
    ('tongyu mac --key-file raw.key a',
     (3, 'tongyu: the key in raw.key is not hexadecimal (character 1); for bare '
      "bytes od -An -v -tx1 raw.key | tr -d ' \\n' makes digits"),
     (3, 'tongyu: the key in raw.key is not hexadecimal (character 1); to turn bare '
      "bytes into digits: od -An -v -tx1 raw.key | tr -d ' \\n'")),
    ('tongyu sign --digest --deterministic --hex -k key.pem digest > d.sig; tongyu '
     'verify --digest -k pub.pem -s d.sig digest',
     (2, 'tongyu: sign: unknown option --digest; see tongyu sign --help'),
     (0, 'digest: OK')),
]


def prepare(tongyu, where, env):
    """Prepares a directory in which `tongyu` is that binary, with the files of SETUP; returns the
    environment for its commands."""
    (where / "bin").mkdir()
    os.symlink(tongyu, where / "bin/tongyu")
    (where / "work").mkdir()
    env = dict(env, PATH=f"{where}/bin:" + os.environ["PATH"], LC_ALL="C.UTF-8")
    env["SOURCE"] = str(case.SOURCE)
    for name, text in table_of_keys.FILES.items():
        (where / "work" / name).write_text(text)
    for script in (SETUP, table_of_keys.SETUP):
        subprocess.run(["bash", "-euc", script], cwd=where / "work", env=env, check=True,
                       capture_output=True)
    return env


def answer(command, where, env):
    """Runs a command; returns its exit status and the first line of its output."""
    p = subprocess.run(["bash", "-c", command + " 2>&1" if "|" not in command
                        and ";" not in command else f"set -o pipefail; ({command}) 2>&1"],
                       cwd=where / "work", env=env, stdin=subprocess.DEVNULL, capture_output=True,
                       start_new_session=True)
    return p.returncode, (p.stdout.decode(errors="replace").splitlines() or [""])[0]


class Table(case.Case):
    def test_every_row(self):
        rows = ROWS + table_of_keys.ROWS
        self.assertGreater(len(rows), 100)
        if not case.OPENSSL:
            self.skipTest("no openssl here")
        env = prepare(case.TONGYU, self.dir, self.env)
        for command, before, now in rows:
            with self.subTest(command=command):
                self.assertEqual(answer(command, self.dir, env), now)
        self.assertGreater(sum(before != now for _, before, now in rows), 80)


def write(*binaries):
    """Prints the table from the output of the old binary and of the new one."""
    commands, columns = [row[0] for row in ROWS + table_of_keys.ROWS], []
    for binary in binaries:
        with tempfile.TemporaryDirectory() as name:
            where = pathlib.Path(name)
            env = prepare(os.path.abspath(binary), where, os.environ)
            columns.append([answer(c, where, env) for c in commands])
    for row in zip(commands, *columns):
        print("    (" + ",\n     ".join(repr(x) for x in row) + "),")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(*sys.argv[2:])
    else:
        case.main()
