"""Theorems about asm statements for test_tool.py: true and false ones about SM2's field, and about
statements with a copy or record that is wrong in one way each (controls_asm.S)."""

import sm2
from contract import B, below, congruent, equal
from records import Statement, Words

RARE = {"lost_copy"}  # which no run on numbers can detect


def named(symbol):
    return next(t for t in sm2.theorems() if t.symbol == symbol)


def true_theorems():
    for symbol in "p_sm2_add p_sm2_half p_sm2_sub p_sm2_mul_less".split():
        yield named(symbol)


def changed(symbol, text, ensures):
    theorem = named(symbol)
    theorem.statement, theorem.ensures = text, ensures
    return theorem


def false_statements():
    p = sm2.P
    yield changed("p_sm2_add", "z == x + y + 1", lambda v: [congruent(v.z, v.x + v.y + 1, p)])
    yield changed("p_sm2_add", "z < p - 4", lambda v: [below(v.z, p - 4)])
    yield changed("p_sm2_sub", "z == y - x", lambda v: [congruent(v.z, v.y - v.x, p)])
    yield changed("p_sm2_half", "z == x", lambda v: [congruent(v.z, v.x, p)])
    yield changed("p_sm2_half", "z < p/2", lambda v: [below(v.z, p // 2)])
    yield changed("p_sm2_sel", "the other way", lambda v: [equal(v.z, v.x + v.m * (v.y - v.x))])
    fewer = named("p_sm2_sub")
    fewer.changed, fewer.statement = ["m"], "t is kept"
    yield fewer


def control(name):
    x, y = Words("x", "a0", "a1"), Words("y", "y0", "y1")
    return Statement("", "controls_asm.o", name, "a + t B^2 = x + y", "a0 a1 y0 y1 t", [x, y],
                     {"z": "a0 a1", "carry": "t"},
                     lambda v: [equal(v.z + v.carry * B**2, v.x + v.y)], anchor=name)
