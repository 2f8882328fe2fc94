#!/usr/bin/env python3
"""Write LibTomMath's interface, with the integers behind it, as one source and one header that need
no other file of this project.

    amalgamate.py [FOLDER]

FOLDER (default build/amalgamation) gets bn.c and bn.h. `cc -O2 -c bn.c` compiles the integers as
plain C, with 64-bit limbs where the compiler has 128-bit integers and 32-bit limbs elsewhere; a
program includes bn.h, which is tongyu/compat/bn.h after the headers that it includes. `make
amalgamation` writes both files and tests them.

Headers with a guard come first, each once, after what they include; then every source, with its
templates (headers whose first comment contains the word) expanded where it includes them. A private
name that two sources declare gets the source's name as a suffix; macros that a source defines are
undefined after it."""
import argparse
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = [ROOT / "src", ROOT / "include", ROOT / "compat/tommath"]
SOURCES = ["src/base/base.c", "src/base/cpu.c", "src/os/random*.c", "src/limb/*.c",
           "src/mod/ntt*.c",
           "src/modn/*.c", "src/mp/*.c", "compat/tommath/*.c"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[^\n]*\n', re.M)
LEVELS = re.compile(r"#define TY_LEVEL (\w+)")


FRONT = """#define _GNU_SOURCE
#define MP_DEPRECATED(x)
/* the headers' helpers are shared by the whole library; not all are used here */
#pragma GCC diagnostic ignored "-Wunused-function"
"""
TIER = """#undef TY_TIER
#if defined(__SIZEOF_INT128__)
#define TY_TIER c64
#else
#define TY_TIER c
#endif
"""


def find(name):
    return next(f / name for f in FOLDERS if (f / name).exists())


def guarded(text):
    return re.search(r"^#ifndef (\w+)\n#define \1\b", text, re.M) is not None


def template(text):
    """Whether the header is a template, as its first comment says: it uses names that the source
    defines before it."""
    first = re.match(r"/\*.*?\*/", text, re.S)
    return first is not None and "Template" in first[0]


class Amalgam:
    def __init__(self):
        self.headers, self.done = [], set()

    def header(self, path):
        """Adds the header's text to the front, after that of the headers that it includes."""
        if path in self.done:
            return
        self.done.add(path)
        text = path.read_text()
        if path.name == "levels.h":
            text = TIER + text
        if path.name == "cpu.h":
            text += "#undef TY_HAS_ADX   /* there is no assembly in this file */\n"
        self.headers.append(self.expand(text))

    def expand(self, text):
        def one(m):
            path = find(m[1])
            inner = path.read_text()
            if guarded(inner) and not template(inner):
                self.header(path)
                return ""
            return self.expand(inner)
        return INCLUDE.sub(one, text)


def own_names(text):
    """Static functions, objects and types at the left margin, tags and enumerators: the names that
    two sources may both declare."""
    plain = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', " ", text,
                   flags=re.S | re.M)
    names = set(re.findall(r"^static\b[^;={(]*?\b(\w+)(?:\[[^\]]*\])*\s*(?:=|;|\()", plain, re.M))
    names |= set(re.findall(r"^static\b[^;={(]*\(\*(\w+)\)\(", plain, re.M))
    names |= set(re.findall(r"^\}\s*(\w+);", plain,
                            re.M)) | set(re.findall(r"^typedef struct \{.*\} (\w+);", plain, re.M))
    names |= set(re.findall(r"^(?:typedef )?(?:struct|union|enum) (\w+) \{", plain, re.M))
    for body in re.findall(r"^enum \w*\s*\{([^}]*)\}", plain, re.M):
        names |= set(re.findall(r"(?:^|,)\s*(\w+)", body))
    return names


MEMBERS = re.compile(r"(^(?:typedef )?(?:struct|union)\b[^;{(]*)(\{.*?\})", re.S | re.M)


def rename(text, name, new):
    """text with name replaced by new, except where name is a member of a struct: there it is
    declared between braces or follows . or ->."""
    token = re.compile(rf"(?<![\w.>#]){name}\b")
    parts = MEMBERS.split(text)            # text, head, members, text, ...
    return "".join(p if i % 3 == 2 else token.sub(new, p) for i, p in enumerate(parts))


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/amalgamation")
    folder = p.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    a = Amalgam()
    bodies = []
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text()
            levels = set(LEVELS.findall(text))
            if levels and not levels & {"c", "c64"}:
                continue
            text = a.expand(text)
            bodies.append((path, text, own_names(text)))
    owners = collections.Counter(name for _, _, own in bodies for name in own)
    sources = []
    for path, text, own in bodies:
        suffix = re.sub(r"\W", "_", str(path.relative_to(ROOT).with_suffix("")))
        for name in sorted(n for n in own if owners[n] > 1):
            text = rename(text, name, f"{name}_{suffix}")
        macros = sorted(set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)))
        sources.append(f"/* {path.relative_to(ROOT)} */\n" + text +
                       "".join(f"#undef {m}\n" for m in macros))
    front = "/* Generated by tools/amalgamate.py from Tongyu's sources. */\n"
    public = Amalgam()
    public.header(find("tongyu/compat/bn.h"))
    (folder / "bn.h").write_text(front + "".join(public.headers))
    (folder / "bn.c").write_text(front + FRONT + "".join(a.headers) + "".join(sources))


if __name__ == "__main__":
    main()
