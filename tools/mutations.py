"""The changes that tools/mutate.py makes by operators: text in, (kind, from, to, replacement) out.

In C: comparisons, operators, conditions, dropped calls, wipes and assignments, swapped arguments,
constants. In assembly: carries, registers, immediates (shuffles and lanes among them), dropped
instructions.
"""
import hashlib
import re


def blanked(text):
    """The text with comments, strings and preprocessor lines blanked, of the same length."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m[0])
    text = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    text = re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def closing(text, at):
    """Where the bracket at text[at] is closed, or -1"""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


PAIRS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
         (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
         (r" \+ ", " - "), (r" - ", " + "), (r" & ", " | "), (r" \| ", " & "),
         (r" << ", " >> "), (r" >> ", " << "), (r" \^ ", " | "), (r" \+= ", " -= "),
         (r" \|= ", " = ")]
CALL = r"^([ \t]+)((?:\(void\)!?)?[a-z_][\w>.-]*\([^;{}]*\));"
ASSIGNMENT = r"^([ \t]+)([a-z_][\w\[\].>+ *-]*? [|&^+-]?= [^;{}]*);"
DECLARATION = r"(const|static|uint\w+|size_t|int|unsigned|bool|auto|ty_\w+|return)\b"
ARGUMENT = r"[\w.>*&\[\]+-]+"
TWO = rf"(?<=[(,])( ?)({ARGUMENT}), ({ARGUMENT})(?=[,)])"


def in_c(text):
    """Every change that the operators can make in a file in C or C++"""
    code = blanked(text)
    begin = re.search(r"^\w[^;=]*\)\s*\{", code, re.M)     # after tables and declarations
    start = begin.start() if begin else 0
    for pattern, new in PAIRS:
        for m in re.finditer(pattern, code[start:]):
            kind = "operator" + m[0].rstrip() + " to" + new.rstrip()
            yield kind, start + m.start(), start + m.end(), new
    for m in re.finditer(r"\bif \(", code[start:]):
        at = start + m.end() - 1
        end = closing(code, at)
        if end > 0:
            yield "condition never", at, end + 1, "(0 && " + text[at:end + 1] + ")"
            yield "condition always", at, end + 1, "(1 || " + text[at:end + 1] + ")"
    for m in re.finditer(CALL, code[start:], re.M):
        wipe = "wipe" in m[2].split("(")[0] or "forget" in m[2].split("(")[0]
        yield "wipe dropped" if wipe else "call dropped", start + m.start(2), start + m.end(2), ""
    for m in re.finditer(ASSIGNMENT, code[start:], re.M):
        if not re.match(DECLARATION, m[2]):
            yield "assignment dropped", start + m.start(2), start + m.end(2), ""
    for m in re.finditer(TWO, code[start:]):
        if m[2] != m[3] and code[:start + m.start()].rstrip()[-4:] != " if":
            new = f"{m[1]}{m[3]}, {m[2]}"
            yield "arguments swapped", start + m.start(), start + m.end(), new
    for m in re.finditer(r"(?<![\w.])(\d+)u?(?![\w.\]])", code[start:]):
        yield "constant", start + m.start(1), start + m.end(1), str(int(m[1]) + 1)


SWAPS = [("adc", "add"), ("sbb", "sub"), ("adcx", "adox"), ("adox", "adcx"), ("add", "sub"),
         ("sub", "add"), ("xor", "or"), ("vpaddd", "vpsubd"), ("vpaddq", "vpsubq"),
         ("vpxor", "vpor"), ("vpxord", "vpord"), ("vpand", "vpor"), ("shl", "shr"), ("shr", "shl"),
         ("rol", "ror"), ("vpunpckldq", "vpunpckhdq")]


def in_assembly(text):
    """The same for assembly: instructions are the indented lines."""
    code = re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), blanked(text))
    for m in re.finditer(r"^[ \t]+([a-z]\w+)[ \t]+([^\n]*%[^\n]*|[^\n]*\\[^\n]*)$", code, re.M):
        name = m[1]
        if re.match(r"(push|pop|lea|ret|j\w+|call|endbr64|cmp|test)", name):
            continue
        for old, new in SWAPS:
            if name in (old, old + "q", old + "l"):
                yield f"{old} to {new}", m.start(1), m.end(1), new + name[len(old):]
        yield "instruction dropped", m.start(1), m.end(2), ""
        for r in re.finditer(r"%(r(?:8|9|1[0-5])|[xyz]mm\d+)\b", m[2]):
            n = int(re.search(r"\d+$", r[1])[0])
            other = r[1][:-len(str(n))] + str(n + 1 if n < 15 else n - 1)
            yield "register", m.start(2) + r.start(1), m.start(2) + r.end(1), other
        i = re.search(r"\$(\d+|0x[0-9a-f]+)", m[2])
        if i:
            yield "immediate", m.start(2) + i.start(1), m.start(2) + i.end(1), str(int(i[1], 0) + 1)


def line_at(text, at):
    """The line at a position, without the white space around it"""
    return text[text.rfind("\n", 0, at) + 1:(text + "\n").index("\n", at)].strip()


def chosen(path, text, count, seed):
    """`count` changes, of each kind in turn, and within a kind those with the least hash, so that
    an edit of one line does not change the choice among the others."""
    kinds, seen = {}, {}
    for change in (in_assembly if path.endswith(".S") else in_c)(text):
        kind, begin, end, new = change
        facts = (kind, line_at(text, begin), new)
        seen[facts] = seen.get(facts, 0) + 1
        rank = hashlib.sha256(repr((seed, path, facts, seen[facts])).encode()).digest()
        kinds.setdefault(kind.split()[0], []).append((rank, change))
    for of_kind in kinds.values():
        of_kind.sort(reverse=True)
    found = []
    while len(found) < count and any(kinds.values()):
        for kind in sorted(kinds):
            if kinds[kind] and len(found) < count:
                found.append(kinds[kind].pop()[1])
    return found


def self_test():
    """Messages about errors of the operators"""
    c = ("/* a < b */\nstatic int f(int x)\n{\n    if (x < 3) return 1;\n    ty_wipe(&x, 4);\n"
         "    x |= 1;\n    g(x, y);\n    return 0;\n}\n")
    changes = list(in_c(c))
    kinds = {k for k, *_ in changes}
    want = {"operator < to <=", "condition never", "condition always", "wipe dropped",
            "assignment dropped", "arguments swapped", "constant"}
    wrong = [f"no {k}" for k in want - kinds]
    wrong += [f"{k} in a comment" for k, a, *_ in changes if a < 12]
    if "g(y, x);" not in {line_at(c[:a] + new + c[b:], a) for _, a, b, new in changes}:
        wrong.append("the arguments of g are not swapped")
    s = "        adcx    %r8, %r9   // adc\n        ret\n"
    kinds = {k for k, *_ in in_assembly(s)}
    wrong += [f"no {k}" for k in {"adcx to adox", "instruction dropped", "register"} - kinds]
    more = c.replace("return 0", "x += 2;\n    return 0")
    twice = [{new + line_at(t, a) for _, a, _, new in chosen("f.c", t, 6, 1)} for t in (c, c, more)]
    if twice[0] != twice[1] or len(twice[0] & twice[2]) < 4:
        wrong.append("the choice is not stable")
    return wrong
