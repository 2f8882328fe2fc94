#!/usr/bin/env python3
"""Constants, tables and instances of templates, from the cards in cards/; generate/card.py says
how a card is read.

    tools/gen.py                 checks every card and writes every generated file
    tools/gen.py --check         checks every card; exit 1 if a file is not what would be written
    tools/gen.py --self-test     proves that false, unreadable and empty cards are refused
    tools/gen.py --map-sbox      writes src/sm4/sm4_sbox3.inc, by yosys-abc
    tools/gen.py --search-sbox N tries N seeds for the circuit of src/sm4/sm4_sbox.inc
"""
import pathlib
import sys

from generate.formula import Bad

try:   # some read their card at once
    from generate import (binary_curves, binary_field, card, constants, ntt, q_mldsa, self_test,
                          sm2_table, sm4_sbox)
except Bad as e:
    sys.exit(f"gen.py: {e}")

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = (constants, binary_field, binary_curves, sm2_table, q_mldsa, ntt, sm4_sbox)
GENERATED_FOLDERS = ("src/ec/tables", "src/ec_f2", "src/f2m_any")   # they hold nothing else


def all_texts():
    files = {}
    for module in MODULES:
        files.update(module.texts())
    return files


def check_cards():
    """How many statements all cards have, each found true."""
    return sum(c.checked for c in card.all_cards())


def strays(files):
    return [path for folder in GENERATED_FOLDERS for path in sorted((ROOT / folder).iterdir())
            if str(path.relative_to(ROOT)) not in files]


def write(files):
    for name, text in files.items():
        path = ROOT / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def stale(files):
    """A line for each file that is not as the cards say."""
    wrong = []
    for name, text in files.items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{name} is not what tools/gen.py writes")
    return wrong


def main(args):
    if args == ["--self-test"]:
        return self_test.run()
    if args == ["--map-sbox"]:
        return sm4_sbox.map_three_inputs()
    if len(args) == 2 and args[0] == "--search-sbox" and args[1].isdigit():
        return sm4_sbox.search(int(args[1]))
    if args not in ([], ["--check"]):
        print(__doc__.strip())
        return 2
    count = check_cards()
    files = all_texts()
    wrong = [f"{path.relative_to(ROOT)}: remove it, tools/gen.py does not write it"
             for path in strays(files)]
    if args:
        wrong += stale(files)
    else:
        write(files)
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print(f"gen.py: {count} statements on the cards are true, {len(files)} files agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Bad as e:
        sys.exit(f"gen.py: {e}")
