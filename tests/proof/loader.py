"""The shipped object code: members of libtongyu.a at addresses above 4 GiB, with their relocations
applied. A member that another one refers to is laid out at once and filled when it is first read.
"""

import hashlib
import io
import struct

from elftools.elf.elffile import ELFFile

from outcome import Refused

ALLOCATED = 2   # SHF_ALLOC
ABSOLUTE_64, PC32, GOTPCREL, PLT32, GOTPCRELX, REX_GOTPCRELX = 1, 2, 9, 4, 41, 42


class Archive:
    """The members of a static library, in the archive's order: a name may occur twice."""

    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:8] != b"!<arch>\n":
            raise SystemExit(f"{path}: not a static library")
        self.members, self.defined, long_names, at = [], {}, b"", 8
        self.data = data
        while at + 60 <= len(data):
            head = data[at : at + 60]
            size, name = int(head[48:58]), head[:16].decode().rstrip()
            body = data[at + 60 : at + 60 + size]
            at += 60 + size + size % 2
            if name == "//":
                long_names = body
            elif name != "/":
                if name.startswith("/"):
                    start = int(name[1:])
                    name = long_names[start : long_names.index(b"/\n", start)].decode()
                self.members.append(Member(name.rstrip("/"), body))
                self.members[-1].start = at - size - size % 2
        for member in self.members:
            for name in member.exported:
                self.defined.setdefault(name, member)

    def find(self, name, symbol):
        """The member of that name that has the symbol, also as symbol.isra.0 or .constprop.0."""
        for member in self.members:
            if member.name == name and member.symbol(symbol):
                return member
        raise Refused(f"no symbol {symbol} in any member {name}")


class Member:
    def __init__(self, name, body):
        self.name, self.body = name, body
        self.elf = ELFFile(io.BytesIO(body))
        self.digest = hashlib.sha256(body).hexdigest()
        table = self.elf.get_section_by_name(".symtab")
        self.symbols = list(table.iter_symbols()) if table else []
        self.exported = {
            s.name
            for s in self.symbols
            if s["st_info"]["bind"] in ("STB_GLOBAL", "STB_WEAK") and s["st_shndx"] != "SHN_UNDEF"
        }

    def symbol(self, name):
        """The function or table of that name as (section, offset, size), or None."""
        for s in self.symbols:
            if isinstance(s["st_shndx"], int) and (
                s.name == name or s.name.startswith((name + ".isra.", name + ".constprop."))
            ):
                return s["st_shndx"], s["st_value"], s["st_size"]
        return None


class Image:
    """A member and what it refers to, at addresses that follow from `base`."""

    def __init__(self, archive, member, base):
        assert base > 1 << 32
        self.archive, self.next, self.base = archive, base, base
        self.places, self.sections, self.pending = {}, [], {}
        self.patches, self.decoded = {}, {}
        self.unknown, self.unknown_at = {}, base + (1 << 29)  # symbols that no member defines
        self.got, self.got_at = {}, base + (1 << 28)
        self.main = member
        self._lay_out(member)

    def _lay_out(self, member):
        if member in self.places:
            return
        place = self.places[member] = {}
        for index, section in enumerate(member.elf.iter_sections()):
            if section["sh_flags"] & ALLOCATED and section["sh_size"]:
                align = max(section["sh_addralign"], 1)
                self.next = -(-self.next // align) * align
                place[index] = self.next
                self.sections.append(
                    [self.next, self.next + section["sh_size"], None, member, index]
                )
                self.next += section["sh_size"] + 64  # a gap: a read past the end is seen

    def _address(self, member, symbol):
        if isinstance(symbol["st_shndx"], int):
            return self.places[member].get(symbol["st_shndx"], 0) + symbol["st_value"]
        if symbol.name in self.archive.defined:
            return self.address(self.archive.defined[symbol.name], symbol.name)
        if symbol.name not in self.unknown.values():
            self.unknown[self.unknown_at] = symbol.name
            self.unknown_at += 4096
        return next(a for a, name in self.unknown.items() if name == symbol.name)

    def address(self, member, name):
        self._lay_out(member)
        section, offset, _ = member.symbol(name)
        return self.places[member][section] + offset

    def _fill(self, entry):
        start, _, _, member, index = entry
        section = member.elf.get_section(index)
        data = bytearray(
            section["sh_size"] if section["sh_type"] == "SHT_NOBITS" else section.data()
        )
        for table in member.elf.iter_sections():
            if table["sh_type"] == "SHT_RELA" and table["sh_info"] == index:
                for r in table.iter_relocations():
                    self._relocate(member, data, start, r)
        entry[2] = bytes(data)

    def _relocate(self, member, data, start, r):
        kind, at, addend = r["r_info_type"], r["r_offset"], r["r_addend"]
        target = self._address(member, member.symbols[r["r_info_sym"]])
        if kind in (GOTPCREL, GOTPCRELX, REX_GOTPCRELX):
            slot = self.got.get(target)
            if slot is None:
                slot = self.got[target] = self.got_at
                self.got_at += 8
                self.sections.append([slot, slot + 8, struct.pack("<Q", target), None, 0])
            target, kind = slot, PC32
        if kind in (PC32, PLT32):
            struct.pack_into("<i", data, at, target + addend - (start + at))
        elif kind == ABSOLUTE_64:
            struct.pack_into("<Q", data, at, target + addend)
        else:
            raise Refused(f"relocation of type {kind} in {member.name}")

    def read(self, address, count):
        """Bytes of one section, or None if they are not all in one."""
        if address - self.base >> 30:
            return None
        for entry in self.sections:
            if entry[0] <= address and address + count <= entry[1]:
                if entry[2] is None:
                    self._fill(entry)
                found = entry[2][address - entry[0] : address - entry[0] + count]
                if self.patches:
                    found = bytes(self.patches.get(address + k, b) for k, b in enumerate(found))
                return found
        return None

    def code(self, address):
        """Up to 15 bytes from there to the end of the section."""
        for entry in self.sections:
            if entry[0] <= address < entry[1]:
                return self.read(address, min(15, entry[1] - address))
        return None

    def patched(self, patches):
        """The same image with some bytes changed; only instructions with such a byte are decoded
        again."""
        other = object.__new__(Image)
        other.__dict__.update(self.__dict__)
        other.patches, other.decoded = dict(patches), dict(self.decoded)
        for at in patches:
            for start in range(at - 15, at + 1):  # an instruction has at most 15 bytes
                other.decoded.pop(start, None)
        return other

    def place_in_archive(self, address):
        """The position in the archive's file of the byte at that address"""
        for start, end, _, member, index in self.sections:
            if start <= address < end and member:
                return member.start + member.elf.get_section(index)["sh_offset"] + address - start
        raise Refused("a byte that no member has")

    def ranges(self, addresses):
        """{member: [[section, from, to], ...]} of instructions at these addresses"""
        found = {}
        for address in sorted(addresses):
            for start, end, _, member, index in self.sections:
                if start <= address < end:
                    at, size = address - start, self.decoded[address].size
                    runs = found.setdefault(f"{member.name}:{member.digest[:12]}", [])
                    if runs and runs[-1][0] == index and runs[-1][2] == at:
                        runs[-1][2] = at + size
                    else:
                        runs.append([index, at, at + size])
        return found

    def digests(self):
        """The digests of all members read so far, on which theorems about this image depend."""
        return sorted(
            {entry[3].digest for entry in self.sections if entry[2] is not None and entry[3]}
        )
