"""cipher and mac: every mode that --alg offers, by known answers and by its definition over ECB."""

import os
import subprocess

import case
from case import INPUT, REFUSED, TONGYU, USAGE

KEY = "0123456789abcdeffedcba9876543210"
IV = "000102030405060708090a0b0c0d0e0f"
AEAD = {"sm4-gcm": 12, "sm4-ccm": 12, "sm4-ocb": 12, "sm4-gcm-siv": 12}
TWO_KEYS = ("sm4-xts-ieee", "sm4-xts-gb", "sm4-hctr")
WRAPS = ("sm4-kw", "sm4-kwp")


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


class Modes(case.Case):
    def options(self, alg, key=None, iv=None):
        self.write("key", key or (KEY + IV if alg in TWO_KEYS else KEY))
        if iv is None:
            iv = "" if alg in ("sm4-ecb", *WRAPS) else IV[: 2 * AEAD.get(alg, 16)]
        return ["cipher", "--alg", alg, "--key-file", "key", *(["--iv-hex", iv] if iv else [])]

    def encrypt(self, alg, data, *args, key=None, iv=None):
        """Encrypts a file; returns the ciphertext, or (ciphertext, tag) in an AEAD mode."""
        self.write("in", data)
        tag = ["--tag-file", "tag"] if alg in AEAD else []
        out = self.out(*self.options(alg, key, iv), *tag, "-f", *args, "in")
        return (out, self.read("tag").decode().strip()) if alg in AEAD else out

    def decrypt(self, alg, data, *args, key=None, iv=None, exit=0, tag=None):
        tag = ["--tag-hex", tag] if tag else []
        return self.ty(*self.options(alg, key, iv), "-d", *tag, *args, stdin=data, exit=exit).stdout

    def ecb(self, block, key=KEY):
        return self.ty("cipher", "--alg", "sm4-ecb", "--pad", "none", "--key-env", "K",
                       env={"K": key}, stdin=block).stdout

    def algs(self):
        text = self.out("cipher", "--help").decode()
        return text[text.index("--alg ") + 6:].split()[0].split("|")

    def test_known_answers(self):
        """Computed by gmsm 0.44 and libgcrypt 1.10; CCM is RFC 8998, A.2; key wrap was computed
        with libcrypto's SM4-ECB."""
        for alg, key, iv, plain, cipher in (
                ("sm4-xts-ieee", "00000000000000000000000000000001bd43699d08d2d3082c0182a1bbad4f16",
                 "173b31723e6e331893161492bbac8218",
                 "e4bb063ed6961fbc2c3b3cebb236f151e824aa18623260061c3dcd7c83b2fb2f48",
                 "7c0c234f170c52323b81de31cbe2834b46086068cf155ce572096222d3115b61de"),
                ("sm4-xts-gb", "0000000000000000000000000000000190b0335dd0bc4d8cb074b7fc2b4d958d",
                 "fdcaa3f6cc9d6bb23296467beaead470",
                 "85da8f1aa69c4ee82df5adecac840121b8be09dc890389b0ff253fc4c52a758f55",
                 "6fc74039d0f7af56dbd5064d7043894346817e6f910b3a68c5c5b31bb2dc4a1886"),
                ("sm4-hctr", "2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f",
                 "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "6bc1bee22e409f96e93d7e117393172aae",
                 "5d7b3133d84a068eabda0e9e8173358638"),
                ("sm4-kw", "000102030405060708090a0b0c0d0e0f", "",
                 "00112233445566778899aabbccddeeff",
                 "c72e8dbfefe856259fff77de2023b380a9e2d0b8acb9b6f6"),
                ("sm4-kwp", "5840df6e29b02af1ab493b705bf16ea1", "", "466f7250617369",
                 "e4e0de4b938de5c3944f9e452779cf26"),
                ("sm4-ofb", "dfffd04d7458cfa010412d41af824946", "94193c45b26a325dd4aee593f8ca7ece",
                 "04e8f8f29a3e828d2d294f6568dfcd9f019771a127e3928a52bcb478a0df27e1fbb5ac24f70ccf24"
                 "eb5ad18bdac116",
                 "6e511a05dd2fabae4f8df69903de3acc1f791d05605a76f1510f848f756a34acc3c96b5b81f3fb"
                 "2451274c10a09f3f")):
            with self.subTest(alg=alg):
                got = self.encrypt(alg, bytes.fromhex(plain), key=key, iv=iv)
                self.assertEqual(got.hex(), cipher)
                self.assertEqual(self.decrypt(alg, got, key=key, iv=iv).hex(), plain)
        rfc = "".join(2 * x * 8 for x in "abcdefea")
        for alg, key, iv, aad, plain, cipher, tag in (
                ("sm4-ccm", KEY, "00001234567800000000abcd",
                 "feedfacedeadbeeffeedfacedeadbeefabaddad2", rfc,
                 "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094fd12e518ce062c98a"
                 "cee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b",
                 "16842d4fa186f56ab33256971fa110f4"),
                ("sm4-ocb", "85b01b265140c2e456356be9bafcf7a0", "2e76c3af74a6a9cbb4fd335a",
                 "5f6e54ae6c2041ca7bf444cfa9", "f5d35de89ea0be8e2c74b54c7447383871",
                 "80c323d42426d8d7da41682416db97ebc5", "8d5a30aa200195cf39aba79d5f1b766a"),
                ("sm4-gcm-siv", "85b01b265140c2e456356be9bafcf7a0", "2e76c3af74a6a9cbb4fd335a",
                 "5f6e54ae6c2041ca7bf444cfa9", "f5d35de89ea0be8e2c74b54c7447383871",
                 "9e2e89892209f63af02289cfedf70e0af8", "f1e5d5ea2ec3b7c545ec3598c2d025ac")):
            with self.subTest(alg=alg):
                got = self.encrypt(alg, bytes.fromhex(plain), "--aad-hex", aad, key=key, iv=iv)
                self.assertEqual((got[0].hex(), got[1]), (cipher, tag))
                self.assertEqual(self.decrypt(alg, got[0], "--aad-hex", aad, key=key, iv=iv,
                                              tag=tag).hex(), plain)

    def test_by_their_definitions(self):
        """The feedback modes, computed block by block with ECB."""
        p, iv = os.urandom(32), bytes.fromhex(IV)
        c = self.encrypt("sm4-bc", p, "--pad", "none")
        first = self.ecb(xor(p[:16], iv))
        self.assertEqual(c, first + self.ecb(xor(p[16:], xor(iv, first))))
        c = self.encrypt("sm4-ofbnlf", p, "--pad", "none")
        k1 = self.ecb(iv)
        self.assertEqual(c, self.ecb(p[:16], k1.hex()) + self.ecb(p[16:], self.ecb(k1).hex()))
        c, register, want = self.encrypt("sm4-cfb8", p[:3]), iv, b""
        for byte in p[:3]:
            want += bytes([byte ^ self.ecb(register)[0]])
            register = register[1:] + want[-1:]
        self.assertEqual(c, want)
        c, register, want = self.encrypt("sm4-cfb1", p[:1]), int.from_bytes(iv, "big"), 0
        for i in range(8):
            bit = (p[0] >> (7 - i) ^ self.ecb(register.to_bytes(16, "big"))[0] >> 7) & 1
            want, register = want << 1 | bit, (register << 1 | bit) % 2**128
        self.assertEqual(c, bytes([want]))

    def test_round_trip_of_every_mode(self):
        algs, seen = self.algs(), set()
        self.assertGreaterEqual(len(algs), 18)
        for alg in algs:
            for n in (16, 17, 40, 3000, 262144, 300001):
                if (alg in WRAPS or alg == "sm4-cfb1") and n > 3000 or alg == "sm4-kw" and n % 8:
                    continue
                with self.subTest(alg=alg, n=n):
                    data = bytes(i * i % 251 for i in range(n))
                    made = self.encrypt(alg, data)
                    ct, tag = made if alg in AEAD else (made, None)
                    self.assertEqual(self.decrypt(alg, ct, tag=tag), data)
                    if n == 40:
                        seen.add(ct[16:32])
                        piped = self.ty(*self.options(alg),
                                        *(["--tag-file", "t2", "-f"] if tag else []), stdin=data)
                        self.assertEqual((piped.stdout, piped.stderr), (ct, b""))
        self.assertEqual(len(seen), len(algs), "two modes give the same ciphertext")

    def test_tags(self):
        for alg in AEAD:
            data = os.urandom(300000)
            ct, tag = self.encrypt(alg, data, "--aad-hex", "00ff")
            for wrong in (["--aad-hex", "00fe"], []):
                self.assertEqual(self.decrypt(alg, ct, *wrong, tag=tag, exit=REFUSED), b"")
                self.decrypt(alg, ct, *wrong, "-o", "out", tag=tag, exit=REFUSED)
            self.decrypt(alg, ct[:-1], "--aad-hex", "00ff", "-o", "out", tag=tag, exit=REFUSED)
            self.decrypt(alg, ct, "--aad-hex", "00ff", "-o", "out", tag="00" * 16, exit=REFUSED)
            self.assertNotIn("out", self.files())
            self.decrypt(alg, ct, exit=USAGE)
            self.decrypt(alg, ct, tag="00" * 3, exit=USAGE)
            # a malformed tag in a file is an error in the input, not in the usage
            for junk in (b"not a tag\n", b"00" * 3, b"\xff" * 16):
                self.write("junk", junk)
                self.decrypt(alg, ct, "--tag-file", "junk", exit=INPUT)
            self.encrypt(alg, b"", "--aad-hex", "00ff")
            self.assertEqual(self.decrypt(alg, b"", "--aad-hex", "00ff", "--tag-file", "tag"), b"")
        for alg, lens, bad in (("sm4-ccm", (4, 8, 14), 5), ("sm4-ocb", (8, 15), 7),
                               ("sm4-gcm", (12, 13), 11),
                               ("sm4-gcm-siv", (), 15)):
            for n in lens:
                ct, tag = self.encrypt(alg, b"hello", "--tag-len", str(n))
                self.assertEqual(len(tag), 2 * n)
                self.assertEqual(self.decrypt(alg, ct, tag=tag), b"hello")
            self.ty(*self.options(alg), "--tag-len", bad, stdin=b"x", exit=USAGE)
        self.assertEqual(list(self.tmp.iterdir()), [])

    def test_ivs(self):
        for alg, good, bad in (("sm4-ccm", (7, 13), (6, 14)), ("sm4-ocb", (1, 15), (16,)),
                               ("sm4-gcm-siv", (12,), (11, 13)), ("sm4-gcm", (1, 60), ()),
                               ("sm4-ctr", (16,), (15, 17)), ("sm4-hctr", (16,), (12,))):
            for n in good:
                self.encrypt(alg, bytes(16), iv="ab" * n)
            for n in bad:
                self.assertIn("--iv-hex has", self.err(*self.options(alg, iv="ab" * n),
                                                       stdin=bytes(16), exit=USAGE))
        self.err(*self.options("sm4-kw"), "--iv-hex", IV, stdin=bytes(16), exit=USAGE)
        line = self.err(*self.options("sm4-ccm", iv="00" * 13), stdin=bytes(65536), exit=INPUT)
        self.assertIn("too long for sm4-ccm with an IV of 13 bytes; a shorter IV", line)

    def test_which_xts(self):
        for word in ("sm4-xts", "sm4-xts-gbt"):
            line = self.err("cipher", "--alg", word, "--key-file", "k", exit=USAGE)
            self.assertIn("sm4-xts-gb", line)
        line = self.err("cipher", "--alg", "sm4-xts", "--key-file", "k", exit=USAGE)
        for name in ("OpenSSL", "GmSSL", "gmsm", "libgcrypt", "Botan", "sm4-xts-ieee"):
            self.assertIn(name, line)

    def test_sectors(self):
        for alg in ("sm4-xts-ieee", "sm4-xts-gb"):
            data = os.urandom(1100 * 512)   # more than is read at once
            where = ["--sector-size", "512", "--sector", "255"]
            ct = self.encrypt(alg, data, *where, iv="")
            for i in (0, 1, 512, 1099):
                one = self.encrypt(alg, data[512 * i:512 * i + 512],
                                   iv=(255 + i).to_bytes(16, "little").hex())
                self.assertEqual(ct[512 * i:512 * i + 512], one, i)
            self.assertEqual(self.decrypt(alg, ct, *where, iv=""), data)
            self.ty(*self.options(alg, iv=""), *where, "-o", "x", stdin=data[:-1], exit=INPUT)
            self.assertNotIn("x", self.files())
            self.err(*self.options(alg), "--sector-size", "512", stdin=data, exit=USAGE)
            self.err(*self.options(alg), "--sector", "1", stdin=data, exit=USAGE)
            self.err(*self.options(alg), stdin=bytes(15), exit=INPUT)
            self.err(*self.options(alg, key=KEY + KEY), stdin=bytes(16), exit=USAGE)
        self.err(*self.options("sm4-ctr"), "--sector-size", "512", stdin=b"x", exit=USAGE)

    def test_paddings(self):
        for pad, tail in (("pkcs7", "0303" "03"), ("iso7816", "800000"), ("x923", "000003")):
            ct = self.encrypt("sm4-cbc", bytes(13), "--pad", pad)
            self.assertEqual(self.decrypt("sm4-cbc", ct, "--pad", "none").hex(), "00" * 13 + tail)
            self.assertEqual(self.decrypt("sm4-cbc", ct, "--pad", pad), bytes(13))
        self.ty(*self.options("sm4-cbc"), "--pad", "none", stdin=bytes(13), exit=INPUT)
        for alg in ("sm4-ofb", "sm4-hctr", "sm4-kwp", "sm4-gcm"):
            self.ty(*self.options(alg), "--pad", "pkcs7", stdin=bytes(16), exit=USAGE)

    def test_what_does_not_fit(self):
        """Modes that need the whole message in memory limit its length: an endless pipe is not
        read for ever."""
        for alg, limit in (("sm4-gcm-siv", 64 << 20), ("sm4-hctr", 64 << 20), ("sm4-ccm", 64 << 20),
                           ("sm4-xts-gb", 16 << 20), ("sm4-kw", (64 << 10) + 16)):
            with self.subTest(alg=alg):
                with open("/dev/zero", "rb") as zero:
                    p = subprocess.run([TONGYU, *self.options(alg), "-o", "out"], stdin=zero,
                                       cwd=self.dir,
                                       env=self.env, capture_output=True, timeout=120)
                self.assertEqual(p.returncode, INPUT, p.stderr)
                self.assertIn(f"tongyu: -: longer than {limit} bytes, too long for ",
                              p.stderr.decode())
                self.assertEqual(p.stderr.count(b"\n"), 1)
                self.assertNotIn("out", self.files())
        for alg, n in (("sm4-kw", 8), ("sm4-kw", 17), ("sm4-kwp", 0), ("sm4-hctr", 15)):
            self.err(*self.options(alg), "-o", "out", stdin=bytes(n), exit=INPUT)
        for alg in WRAPS:
            ct = self.encrypt(alg, bytes(16))
            self.decrypt(alg, ct[:-1] + bytes([ct[-1] ^ 1]), exit=REFUSED)
            for n in (0, 7, 8, 23):
                self.decrypt(alg, ct[:n], exit=INPUT)


class Codes(case.Case):
    def test_cmac_and_gmac(self):
        """CMAC by gmsm 0.44; GMAC is the tag of GCM with an empty plaintext."""
        self.write("f",
                   bytes.fromhex("d30287a565c603457edee08bd1156bce735bb8c2779e69314ae37c6ef112161"
                                 "1ba"))
        self.write("k", "135c2593256dfca50b4d404c60f6535b")
        cmac = ["mac", "--alg", "cmac-sm4", "--key-file", "k"]
        self.assertEqual(self.out(*cmac, "f"), b"22d2e7165c44dee91fa4227d20e599e6  f\n")
        self.out(*cmac, "--verify", "22d2e7165c44dee91fa4227d20e599e6", "f")
        self.err(*cmac, "--verify", "22d2e7165c44dee91fa4227d20e599", "f", exit=REFUSED)
        self.err(*cmac, "--verify", "00" * 16, "f", exit=REFUSED)
        self.err(*cmac, "--iv-hex", "00", "f", exit=USAGE)
        gmac = ["mac", "--alg", "gmac-sm4", "--key-file", "k", "--iv-hex", "00" * 12]
        tag = self.out(*gmac, "f").split()[0].decode()
        self.ty("cipher", "--alg", "sm4-gcm", "--key-file", "k", "--iv-hex", "00" * 12,
                "--tag-file", "t", "--aad-hex",
                self.read("f").hex())
        self.assertEqual(self.read("t").decode().strip(), tag)
        self.out(*gmac, "--verify", tag, "f")
        self.err(*gmac, "f", "f", exit=USAGE)
        self.err(*gmac[:-2], "f", exit=USAGE)
        self.err("mac", "--alg", "cmac-sm4", "--key-hex", "00", "f", exit=USAGE)


if __name__ == "__main__":
    case.main()
