"""Python's gmssl as one of the programs of tests/interop/matrix.py: "peer.py ACTION ARGUMENTS",
whose arguments are mostly input and output files, with keys in hexadecimal. It exits with status 1
if it refuses."""

import pathlib
import secrets
import sys

from gmssl import sm2

ORDERS = {"c1c2c3": 0, "c1c3c2": 1}
N = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123


def text(path):
    return pathlib.Path(path).read_text().strip()


def data(path):
    return pathlib.Path(path).read_bytes()


def write(path, content):
    pathlib.Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())


def public_of(key):
    crypt = sm2.CryptSM2(private_key=key, public_key="")
    return crypt._kg(int(key, 16), sm2.default_ecc_table["g"])


def with_key(path, mode=1):
    key = text(path)
    return sm2.CryptSM2(private_key=key, public_key=public_of(key), mode=mode)


def with_pub(path, mode=1):
    return sm2.CryptSM2(private_key="", public_key=text(path).removeprefix("04"), mode=mode)


def refuse(why):
    sys.exit("gmssl: " + why)


def act(action, a):
    if action == "new":
        key = f"{secrets.randbelow(N - 2) + 1:064x}"
        write(a[0], key)
        write(a[1], "04" + public_of(key))
    elif action == "pub":
        write(a[1], "04" + public_of(text(a[0])))
    elif action == "sign":
        write(a[3], with_key(a[0]).sign_with_sm3(data(a[2])))
    elif action == "verify":
        if not with_pub(a[0]).verify_with_sm3(text(a[3]), data(a[2])):
            refuse("the signature does not verify")
    elif action == "encrypt":
        write(a[3], with_pub(a[0], ORDERS[a[1]]).encrypt(data(a[2])))
    elif action == "decrypt":
        write(a[3], with_key(a[0], ORDERS[a[1]]).decrypt(bytes.fromhex(text(a[2]))))
    else:
        refuse("no such action")


act(sys.argv[1], sys.argv[2:])
