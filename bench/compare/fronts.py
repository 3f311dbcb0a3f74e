"""Problems of several objectives, and hypervolumes."""

import json
import math
import subprocess

# A parameter is (name, kind, low, high) or (name, values), then, if it has conditions, the
# choice it depends on and the values of that. Kinds: float, int, logfloat, logint.


def vlmop2(p):
    x, y, s = p["x"], p["y"], 1 / math.sqrt(2)
    return [1 - math.exp(-((x - s) ** 2) - (y - s) ** 2), 1 - math.exp(-((x + s) ** 2) - (y + s) ** 2)]


def zdt_g(p):
    shift = {"a": 0.3, "b": 0.0, "c": 0.6, "d": 1.0}[p["c"]]
    return 1 + 9 / 5 * (p["x2"] + p["x3"] + p["i1"] / 10 + p["i2"] / 10 + shift)


def zdt1(p):
    g = zdt_g(p)
    return [p["x1"], g * (1 - math.sqrt(p["x1"] / g))]


def zdt2(p):
    g = zdt_g(p)
    return [p["x1"], g * (1 - (p["x1"] / g) ** 2)]


def dtlz2(m):
    def f(p):
        x = [p[f"x{k}"] for k in range(1, 7)]
        g = 1 + sum((v - 0.5) ** 2 for v in x[m - 1 :])
        out = []
        for j in range(m):
            v = g
            for k in range(m - 1 - j):
                v *= math.cos(x[k] * math.pi / 2)
            if j > 0:
                v *= math.sin(x[m - 1 - j] * math.pi / 2)
            out.append(v)
        return out

    return f


def cond(p):
    """Each of three models, with 2, 3 and 4 parameters, owns a third of the front."""
    k = "abc".index(p["model"])
    f1 = (k + p[f"{p['model']}1"]) / 3
    off = sum((p[f"{p['model']}{j}"] - 0.15 * (j + k)) ** 2 for j in range(2, 3 + k))
    return [f1, (1 - f1) ** 2 + off]


def welded_beam(p):
    """Cost and deflection of the mixed welded beam (Deb and Goyal 1996), then shear stress,
    bending stress and buckling relative to their bounds."""
    c1, c2, strength, young, shear = {
        "steel": (0.1047, 0.0481, 3e4, 3e7, 12e6), "cast_iron": (0.0489, 0.0224, 8e3, 14e6, 6e6),
        "aluminum": (0.5235, 0.2405, 5e3, 1e7, 4e6), "brass": (0.5584, 0.2566, 8e3, 16e6, 6e6)}[p["material"]]
    h, l, t, b = p["h"], p["l"], p["t"], p["b"]
    load, arm = 6000.0, 14.0
    area, inertia = math.sqrt(2) * h * l, math.sqrt(2) * h * l * ((h + t) ** 2 / 4 + l * l / 12)
    radius, welded = 0.5 * math.sqrt(l * l + (h + t) ** 2), l
    if p["joint"] == "four_sided":
        area = math.sqrt(2) * h * (t + l)
        inertia += math.sqrt(2) * h * t * ((h + l) ** 2 / 4 + t * t / 12)
        radius = 0.5 * max(math.sqrt(l * l + (h + t) ** 2), math.sqrt(t * t + (h + l) ** 2))
        welded = t + l
    primary, torsion = load / area, load * (arm + 0.5 * l) * radius / inertia
    stress = math.sqrt(primary**2 + torsion**2 + 2 * primary * torsion * l / (2 * radius))
    buckling = 4.013 * t * b**3 * math.sqrt(young * shear) / (6 * arm * arm) * (1 - t / (4 * arm) * math.sqrt(young / shear))
    return [(1 + c1) * welded * h * h + c2 * t * b * (arm + l), 4 * load * arm**3 / (young * t**3 * b),
            stress / (0.577 * strength) - 1, 6 * load * arm / (t * t * b) / strength - 1, 1 - buckling / load]


def dtlz1(p):
    x = [p[f"x{k}"] for k in range(1, 7)]
    g = 1 + 4 * sum((v - 0.5) ** 2 for v in x[2:])
    return [g * x[0] * x[1], g * x[0] * (1 - x[1]), g * (1 - x[0])]


def dtlz7(p):
    x = [p[f"x{k}"] for k in range(1, 7)]
    g = 1 + 9 / 4 * sum(x[2:])
    h = 3 - sum(v / (1 + g) * (1 + math.sin(3 * math.pi * v)) for v in x[:2])
    return [x[0], x[1], (1 + g) * h]


def crash(p):
    a, b, c, d, e = (p[f"x{k}"] for k in range(1, 6))
    return [1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e,
            6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e + 0.3628 * b * d - 0.1106 * a * a - 0.3437 * c * c + 0.1764 * d * d,
            -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d - 0.0204 * c * d - 0.008 * c * e - 0.0241 * b * b + 0.0109 * d * d]


def viennet(p):
    x, y = p["x"], p["y"]
    s = x * x + y * y
    return [0.5 * s + math.sin(s), (3 * x - 2 * y + 4) ** 2 / 8 + (x - y + 1) ** 2 / 27 + 15, 1 / (s + 1) - 1.1 * math.exp(-s)]


def mixed3(p):
    g = zdt_g(p) - 1
    a, b = p["x1"], p["x2"]
    r = 1 + g / 9 * 2
    return [r * math.cos(a * math.pi / 2) * math.cos(b * math.pi / 2), r * math.cos(a * math.pi / 2) * math.sin(b * math.pi / 2), r * math.sin(a * math.pi / 2)]


def cond3(p):
    k = "abc".index(p["model"])
    f1 = (k + p[f"{p['model']}1"]) / 3
    rest = [p[f"{p['model']}{j}"] for j in range(2, 3 + k)]
    off = sum((v - 0.15 * (j + 2 + k)) ** 2 for j, v in enumerate(rest))
    return [f1, (1 - f1) ** 2 + off, sum(rest) / len(rest)]


FLOATS = [(f"x{k}", "float", 0, 1) for k in range(1, 7)]
MIXED = FLOATS[:3] + [("i1", "int", 0, 10), ("i2", "int", 0, 10), ("c", list("abcd"))]
MODELS = [("model", list("abc"))] + [(f"{m}{j}", "float", 0, 1, "model", [m]) for k, m in enumerate("abc") for j in range(1, 3 + k)]
BEAM = [("joint", ["two_sided", "four_sided"]), ("material", ["steel", "cast_iron", "aluminum", "brass"]),
        ("h", "float", 0.0625, 2), ("l", "float", 0.1, 10), ("t", "float", 2, 20), ("b", "float", 0.0625, 2)]


class Problem:
    """f gives m objectives, then constraints that hold where they are not above 0."""

    def __init__(self, params, f, m, budget, ref, best, constraints=0):
        self.params, self.f, self.m, self.budget, self.best, self.constraints = params, f, m, budget, best, constraints
        self.ref = ref if isinstance(ref, list) else [ref] * m
        self.names = [f"f{j}" for j in range(m)] + [f"c{j}" for j in range(constraints)]


PROBLEMS = {
    "vlmop2": Problem([("x", "float", -2, 2), ("y", "float", -2, 2)], vlmop2, 2, 40, 1.0, 0.3421155931198939),
    "zdt1_mixed": Problem(MIXED, zdt1, 2, 80, 1.1, 0.8766666666666666),
    "zdt2_mixed": Problem(MIXED, zdt2, 2, 80, 1.1, 0.5433333333333333),
    "dtlz2_2": Problem(FLOATS, dtlz2(2), 2, 80, 1.1, 0.4246018366025517),
    "dtlz2_3": Problem(FLOATS, dtlz2(3), 3, 80, 1.1, 0.8074012244017011),
    "dtlz2_4": Problem(FLOATS, dtlz2(4), 4, 80, 1.1, 1.1556748624659576),
    "cond_tradeoff": Problem(MODELS, cond, 2, 80, 1.1, 1.1 - 1 / 3 + 0.11),
    "welded_beam_2": Problem(BEAM, welded_beam, 2, 100, [30.0, 0.02], None, 3),
}

# Problems of three objectives beside those of the table: a linear front (DTLZ1 without its
# ripples), one of pieces (DTLZ7), the weight, the acceleration and the intrusion of a car
# that crashes (Liao et al. 2008), Viennet's, a mixed space, and models that own parts of the front.
MORE = {
    "dtlz1_3": Problem(FLOATS, dtlz1, 3, 80, 1.1, None),
    "dtlz7_3": Problem(FLOATS, dtlz7, 3, 80, [1.1, 1.1, 8.0], None),
    "crash": Problem([(f"x{k}", "float", 1, 3) for k in range(1, 6)], crash, 3, 80, [1699.0, 11.82, 0.2904], None),
    "viennet": Problem([("x", "float", -3, 3), ("y", "float", -3, 3)], viennet, 3, 50, [5.0, 17.0, 0.2], None),
    "mixed3": Problem(MIXED, mixed3, 3, 80, 1.1, None),
    "cond3": Problem(MODELS, cond3, 3, 80, 1.1, None),
}


def yahpo(command):
    """Adds the problem that a program serves."""
    spec = next(s for s in json.loads(subprocess.run([*command, "spec"], check=True, capture_output=True, text=True).stdout) if s["name"] == "xgb_31")
    params, program = [], []
    for p in spec["params"]:
        kind = "log" * bool(p.get("log")) + p["type"]
        one = (p["name"], p["choices"]) if p["type"] == "cat" else (p["name"], kind, p["low"], p["high"])
        params.append(one + tuple(part for c in p["when"] for part in (c["name"], c["value"])))
    params = [p for p in params if len(p) % 2 == 0 and len(p) <= 6]

    def f(config):
        if not program:
            program.append(subprocess.Popen([*command, "serve", "xgb_31", "all"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        program[0].stdin.write(json.dumps(config) + "\n")
        program[0].stdin.flush()
        out = json.loads(program[0].stdout.readline())
        return [out["error"], out["timetrain"]]

    PROBLEMS["yahpo_xgb"] = Problem(params, f, 2, 100, [0.35, 5.0], None)


def conditions(p):
    """The choice that a parameter depends on, and the values for which it is there."""
    rest = p[4:] if isinstance(p[1], str) else p[2:]
    return rest or None


def volume(points, ref):
    """Hypervolume by slices of the last objective."""
    points = [p for p in points if all(v < r for v, r in zip(p, ref))]
    if not points:
        return 0.0
    if len(points[0]) == 1:
        return ref[0] - min(p[0] for p in points)
    points.sort(key=lambda p: p[-1])
    total, cut = 0.0, sorted({p[-1] for p in points}) + [ref[-1]]
    for low, high in zip(cut, cut[1:]):
        total += (high - low) * volume(front([p[:-1] for p in points if p[-1] <= low]), ref[:-1])
    return total


def front(points):
    points = sorted(set(map(tuple, points)))
    return [p for p in points if not any(q != p and all(a <= b for a, b in zip(q, p)) for q in points)]
