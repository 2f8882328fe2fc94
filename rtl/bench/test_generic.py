"""Generic mode over fields of random polynomials."""
import cocotb

from bench import BIT, begin, curve_through, model, sums


@cocotb.test()
async def generic_points(dut):
    """Fields of random polynomials, one with terms so close that a digit takes several folds."""
    b = await begin(dut)
    # poly = x^m + x^(low - 1) + random lower terms + 1; SLOW if m - (low - 1) is less than D = 8
    for m, low, slow in ((17, 8, 0), (17, 13, BIT["SLOW"])):
        while True:
            poly, t = 1 << m | 1 << low - 1 | b.rng.getrandbits(low) | 1, 2
            for _ in range(m):
                t = model.multiply(t, t, poly)
            if t == 2:      # x^(2^m) = x and m is prime: poly is irreducible
                break
        a, x, y = (b.rng.getrandbits(m) | 1 for _ in range(3))
        curve = curve_through(poly, a, x, y)
        await b.curve(curve, True)
        assert await b.read("STATUS") & BIT["SLOW"] == slow
        k = b.rng.getrandbits(m)
        error, got, cycles = await b.run(k, curve.g)
        assert (error, got) == (0, curve.times(k, curve.g))
        if not slow:        # sums; a scalar that is 64 bits longer
            await sums(b, curve)
            await b.curve(curve, True, 2)
            k = b.rng.getrandbits(m + 64)
            assert (await b.run(k, curve.g))[:2] == (0, curve.times(k, curve.g))
        if slow:
            assert (await b.run(1, curve.g))[1:] == (curve.g, cycles)
            assert (await b.run(k, curve.g, "ADD"))[:2] == (0, curve.times(k + 1, curve.g))
