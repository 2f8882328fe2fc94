"""How much of the kernels' code theorems have executed: for each family the functions that are its
kernels, by name, and the other functions of its objects, with the reason why they are not counted.
A function that contains inlined kernels and is not one itself is a composition of them; the copies
of an asm statement in it are kernels if they have records, and count as such."""

import re

import records

# family, members, functions that are kernels
FAMILIES = (
    (
        "integers: sums, rows, products, Montgomery",
        r"limb_(c|adx|adx_1|gfni512|clmul512)|sum_x86|mont_adx|short_adx|ifma_gfni512",
        r"ty_(limb|ifma)_(?!gather|slices)\w+",
    ),
    (
        "SM2's p and n",
        r"(ec|n)_sm2_(c|c64|adx|gfni512)",
        r"ty_(ec_sm2_(p_(mul|sqr|fold)|(four|eight)_(mul|sqr)_)|"
        r"n_sm2_(n_mont)?(mul|add|sub|reduce)|p_sm2_)\w*",
    ),
    ("ML-DSA: transforms, products, roundings", r"q_mldsa(_avx2|_avx512)?", r"ty_q_\w+"),
    (
        "named binary fields",
        r"ec_f2_\d+_\w+",
        r"ty_f2_\d+_(two_)?(mul|sqr|sqr_n|sqrt|canon|trace)(_call)?_[a-z0-9]+",
    ),
    (
        "binary fields of any polynomial",
        r"f2_any_(c|c64|(w\d_)?(aesni|vaes))",
        r"ty_f2_any_\w+?_(mul|sqr_n|mul_sqr|mul_mul|times|reduce|product|square|partial|barrett|"
        r"pair_mul|pair_sqr)_[a-z0-9]+",
    ),
    ("GHASH", r"f2_128(_\w+)?", r"ty_f2_128_\w+"),
    (
        "SM4",
        r"sm4_(c|c64|aesni|avx2|vaes|gfni|avx512|gfni512|slice_avx512|(rounds|bytes|keys|words)_\w+)",
        r"ty_sm4_\w+",
    ),
    ("SM3", r"sm3(_aesni|_avx2|_avx512|_rounds_x86)?", r"ty_sm3_\w+"),
    ("Keccak", r"keccak(_c64|_avx2|_avx512)?", r"ty_keccak_(?!sample|give)\w+"),
)
# why a function of these members is not a kernel: the first pattern that matches
LEFT_OUT = (
    (r"_inv|_solve|frobenius|recode", "inverses, equations, digits: loops or chains of products"),
    (r"ty_f2_\d+_(set|get|iszero|sqr_n_fast)", "bytes of elements, powers by tables"),
    (r"ty_ec_|ty_f2_any_\w+rung|pair_|field_", "compositions of kernels: points, ladders"),
    (r"gather|slices|sample|give", "moves of words, samplers"),
    (r"", "other moves, sums and comparisons"),
)


def functions(member):
    """(section, from, to, name) of each function"""
    for s in member.symbols:
        if s["st_info"]["type"] == "STT_FUNC" and s["st_size"] and s["st_shndx"] != "SHN_UNDEF":
            yield s["st_shndx"], s["st_value"], s["st_value"] + s["st_size"], s.name


def parts(member):
    """(section, addresses, name) of each asm statement, and of each function without these"""
    copies, inside = records.of(member), {}
    for c in copies:
        inside.setdefault(c.section, set()).update(range(c.start, c.end))
        yield c.section, set(range(c.start, c.end)), f"ty_{c.name}"
    for section, start, end, name in functions(member):
        yield section, set(range(start, end)) - inside.get(section, set()), name


def executed_bytes(rows):
    """member -> section -> addresses"""
    found = {}
    for _, entry in rows:
        for name, ranges in entry["executed"].items():
            for section, start, end in ranges:
                found.setdefault(name, {}).setdefault(section, set()).update(range(start, end))
    return found


def counted(archive, rows):
    """family -> [bytes executed, bytes, {reason: bytes left out}, names without a theorem]"""
    executed, result = executed_bytes(rows), {}
    for family, members, kernels in FAMILIES:
        row = result[family] = [0, 0, {}, {}]
        for member in archive.members:
            if not re.fullmatch(members, re.sub(r"\.[cS]\.o$", "", member.name)):
                continue
            done = executed.get(f"{member.name}:{member.digest[:12]}", {})
            for section, places, name in parts(member):
                plain = name.split(".")[0]
                if not re.fullmatch(kernels, plain):
                    why = next(why for part, why in LEFT_OUT if re.search(part, plain))
                    row[2][why] = row[2].get(why, 0) + len(places)
                    continue
                ran = len(done.get(section, set()) & places)
                row[0], row[1] = row[0] + ran, row[1] + len(places)
                if not ran:
                    one = re.sub(r"f2_\d{3}_", "f2_M_", plain)
                    row[3][one] = row[3].get(one, 0) + len(places)
    return result


def table(archive, rows):
    """Lines of the page, and the share of all families in per cent"""
    found = counted(archive, rows)
    lines = [
        "| family | bytes of kernels | executed | share | kernels without a theorem, bytes "
        "| other functions of these objects, not counted |",
        "|---|---|---|---|---|---|",
    ]
    for family, (done, size, left, bare) in found.items():
        largest = sorted(bare.items(), key=lambda kv: -kv[1])[:8]
        names = ", ".join(f"`{name}` {count}" for name, count in largest)
        if len(bare) > len(largest):
            rest = sum(bare.values()) - sum(count for _, count in largest)
            names += f", {len(bare) - len(largest)} others {rest}"
        others = "; ".join(f"{why}: {count}" for why, count in left.items())
        lines.append(
            f"| {family} | {size} | {done} | {100 * done // max(size, 1)} % | {names} | {others} |"
        )
    done, size = (sum(row[k] for row in found.values()) for k in (0, 1))
    lines.append(f"| all | {size} | {done} | {100 * done // max(size, 1)} % | | |")
    return lines, 100 * done // max(size, 1)
