"""Fits the polynomials of core/src/math and prints them as Rust constants.

In: nothing. Out: on standard output, for each polynomial, its coefficients (lowest power first,
already rounded to the target type) and its largest error as a power of two.
Method: Remez exchange on a weighted error; coefficients are rounded one at a time from the lowest
power up, and the rest is fitted again after each rounding, so that rounding costs little.
Run: pip install mpmath && python tools/fit_math.py [exponentials | logarithms | waves | arcs | errors | roots] …
"""

import struct
import sys

from mpmath import (
    asin, atan, atanh, chebyfit, cos, erf, erfc, exp, expm1, inf, log, log1p, lu_solve, matrix, mp, mpf, pi, sin, sqrt
)

mp.prec = 200


def to_double(value):
    return mpf(float(value))


def to_single(value):
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


class Problem:
    """A target and a weight on a grid; the unknowns are the coefficients of `powers`."""

    def __init__(self, target, weight, powers, low, high, size=800):
        mid, radius = (low + high) / 2, (high - low) / 2
        self.grid = [mid - radius * cos(pi * i / size) for i in range(size + 1)]
        self.weight = [weight(x) for x in self.grid]
        self.target = [target(x) for x in self.grid]
        self.powers = powers

    def error(self, coefficients):
        return [(horner(coefficients, self.powers, x) - t) * w for x, t, w in zip(self.grid, self.target, self.weight)]

    def fix_lowest(self, value):
        """Takes the term of the lowest power, with this coefficient, over to the target."""
        power, self.powers = self.powers[0], self.powers[1:]
        self.target = [t - value * x**power for x, t in zip(self.grid, self.target)]

    def solve(self, points):
        """Coefficients whose weighted error alternates with equal size over these grid points."""
        rows = [[self.grid[g] ** p * self.weight[g] for p in self.powers] + [mpf((-1) ** i)] for i, g in enumerate(points)]
        right = [self.target[g] * self.weight[g] for g in points]
        solution = lu_solve(matrix(rows), matrix(right))
        return [solution[i] for i in range(len(self.powers))]

    def minimax(self):
        """Remez exchange; the best coefficients met on the way."""
        count = len(self.powers) + 1
        points = [int((len(self.grid) - 1) * (i + mpf("0.45")) / count) for i in range(count)]
        best = (inf, None)
        for _ in range(12):
            try:
                coefficients = self.solve(points)
            except ZeroDivisionError:
                break
            error = self.error(coefficients)
            best = min(best, (max(abs(e) for e in error), coefficients), key=lambda pair: pair[0])
            points = alternation(error, count)
            if len(points) < count:
                break
        return best[1]


def horner(coefficients, powers, x):
    value, last = mpf(0), powers[-1]
    for c, p in zip(reversed(coefficients), reversed(powers)):
        value, last = value * x ** (last - p) + c, p
    return value * x**last


def alternation(error, count):
    """`count` positions where the error alternates and is locally largest."""
    found = []
    for g, e in enumerate(error):
        if found and (error[found[-1]] > 0) == (e > 0):
            if abs(e) > abs(error[found[-1]]):
                found[-1] = g
        else:
            found.append(g)
    while len(found) > count:
        found.pop(0 if abs(error[found[0]]) < abs(error[found[-1]]) else -1)
    return found


def fit(name, target, weight, degree, low, high, rounded):
    """Rounds from the lowest power up, fitting the rest again each time."""
    problem = Problem(target, weight, list(range(degree + 1)), low, high)
    done = []
    for _ in range(degree + 1):
        done.append(rounded(problem.minimax()[0]))
        if len(problem.powers) > 1:
            problem.fix_lowest(done[-1])
    worst = max(abs(e) for e in problem.error(done[-1:]))
    print(f"{name}: 2^{float(log(worst, 2)):.2f}")
    for c in done:
        print(f"    {float(c)!r},")


def interpolate(name, target, degree, low, high):
    """At Chebyshev's points: around 0 the exchange does not find its way once terms are fixed."""
    coefficients, worst = chebyfit(target, [low, high], degree + 1, error=True)
    print(f"{name}: 2^{float(log(worst, 2)):.2f} at Chebyshev's points")
    for c in reversed(coefficients):
        print(f"    {float(c)!r},")


def series(f, terms):
    """`f(x)` for x away from 0, where it loses digits: its power series below 1e-8."""
    return lambda x: f(x) if abs(x) > mpf(10) ** -8 else sum(mpf(t) * x**i for i, t in enumerate(terms))


def fit_exponentials():
    half_ln2 = log(mpf(2)) / 2 * (1 + mpf(2) ** -12)
    tail = series(lambda r: (exp(r) - 1 - r) / r**2, [mpf(1) / 2, mpf(1) / 6])
    for name, degree, rounded in (("f32 exp", 4, to_single), ("f64 exp", 10, to_double)):
        fit(f"{name}, (e^r - 1 - r)/r^2", tail, lambda r: r**2, degree, -half_ln2, half_ln2, rounded)
    ln2 = log(mpf(2))
    tail = series(lambda f: expm1(f * ln2) / f, [ln2, ln2**2 / 2])
    fit("f32 tanh and pow, (2^f - 1)/f", tail, lambda f: 1 / ln2, 6, mpf("-0.5001"), mpf("0.5001"), to_double)


def fit_logarithms():
    low, high = 1 / sqrt(mpf(2)) - 1, sqrt(mpf(2)) - 1
    slack = mpf(2) ** -10
    tail = series(lambda f: (log1p(f) - f + f * f / 2) / f**3, [mpf(1) / 3, -mpf(1) / 4])
    relative = lambda f: f**3 / log1p(f) if f else 0
    fit("f32 ln, (ln(1 + f) - f + f^2/2)/f^3", tail, relative, 8, low - slack, high + slack, to_single)
    largest = (high / (2 + high) + slack) ** 2
    ratio = series(lambda w: atanh(sqrt(w)) / sqrt(w), [mpf(1), mpf(1) / 3])
    tail = series(lambda w: (ratio(w) - 1) / w, [mpf(1) / 3, mpf(1) / 5])
    fit("f64 ln, (atanh(s)/s - 1)/w, w = s^2", tail, lambda w: w, 6, mpf(0), largest, to_double)
    tail = series(lambda w: (ratio(w) - 1 - w / 3) / w**2, [mpf(1) / 5, mpf(1) / 7])
    fit("f64 pow, (atanh(s)/s - 1 - w/3)/w^2", tail, lambda w: w**2, 7, mpf(0), largest, to_double)
    scale = 2 / log(mpf(2))
    fit("f32 pow, 2 atanh(s)/(s ln 2)", lambda w: scale * ratio(w), lambda w: 1 / scale, 5, mpf(0), largest, to_double)


def fit_waves():
    largest = (pi / 4 * (1 + mpf(2) ** -12)) ** 2
    tail = series(lambda w: (sin(sqrt(w)) / sqrt(w) - 1) / w, [-mpf(1) / 6, mpf(1) / 120])
    fit("f64 sin, (sin(r)/r - 1)/w, w = r^2", tail, lambda w: w, 5, mpf(0), largest, to_double)
    tail = series(lambda w: (cos(sqrt(w)) - 1 + w / 2) / w**2, [mpf(1) / 24, -mpf(1) / 720])
    fit("f64 cos, (cos(r) - 1 + w/2)/w^2", tail, lambda w: w**2, 5, mpf(0), largest, to_double)
    quarter = pi / 2
    largest = ((1 + mpf(2) ** -8) / 2) ** 2
    tail = series(lambda w: sin(quarter * sqrt(w)) / sqrt(w), [quarter, -(quarter**3) / 6])
    fit("f32 sin, sin(f pi/2)/f, w = f^2", tail, lambda w: 1 / quarter, 4, mpf(0), largest, to_double)
    tail = series(lambda w: (cos(quarter * sqrt(w)) - 1) / w, [-(quarter**2) / 2, quarter**4 / 24])
    fit("f32 cos, (cos(f pi/2) - 1)/w", tail, lambda w: w, 3, mpf(0), largest, to_double)



def fit_arcs():
    # t = tan of half the way between the angles whose tangents are 1/2 and 0, a little more
    for name, degree, largest in (("f32", 5, mpf("0.1717")), ("f64", 7, mpf("0.0559"))):
        tail = series(lambda w: (atan(sqrt(w)) / sqrt(w) - 1) / w, [-mpf(1) / 3, mpf(1) / 5])
        fit(f"{name} atan, (atan(t)/t - 1)/w, w = t^2", tail, lambda w: w, degree, mpf(0), largest, to_double)
    for name, degree in (("f32", 6), ("f64", 12)):
        tail = series(lambda w: (asin(sqrt(w)) / sqrt(w) - 1) / w, [mpf(1) / 6, mpf(3) / 40])
        fit(f"{name} asin, (asin(s)/s - 1)/w, w = s^2", tail, lambda w: w, degree, mpf(0), mpf("0.25"), to_double)


def fit_errors():
    slope = 2 / sqrt(pi)
    for name, degree, most in (("f32", 7, mpf(1)), ("f64", 8, mpf("0.25"))):
        tail = series(lambda w: erf(sqrt(w)) / sqrt(w) - 1, [slope - 1, -slope / 3])
        fit(f"{name} erf, erf(x)/x - 1, w = x^2", tail, lambda w: 1 / (1 + tail(w)), degree, mpf(0), most, to_double)
    for name, degree, middle, most in (("f32", 12, mpf(2), mpf("10.2")), ("f64", 21, mpf("3.25"), mpf("27.3"))):
        ends = [(x - middle) / (x + 3) for x in (mpf("0.5"), most)]
        where = lambda s: (middle + 3 * s) / (1 - s)
        scaled = lambda s: (where(s) + 3) * exp(where(s) ** 2) * erfc(where(s))
        interpolate(f"{name} erfc, (x + 3) e^(x^2) erfc(x), s = (x - {middle})/(x + 3)", scaled, degree, *ends)


def fit_roots():
    fit("cbrt, r^(-1/3)", lambda r: r ** (-mpf(1) / 3), lambda r: r ** (mpf(1) / 3), 4, mpf("0.9"), mpf("1.11"), to_double)


FITS = {
    "exponentials": fit_exponentials,
    "logarithms": fit_logarithms,
    "waves": fit_waves,
    "arcs": fit_arcs,
    "errors": fit_errors,
    "roots": fit_roots,
}

for wanted in sys.argv[1:] or FITS:
    FITS[wanted]()
