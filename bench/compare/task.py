"""The ten mixed parameters both programs tune: four floats (one logarithmic),
three integers (one logarithmic), three choices. A value depends on all of them,
smoothly on the numbers."""

import math
import random

FLOATS = {"x1": (0.0, 1.0, False), "x2": (-5.0, 5.0, False), "x3": (0.0, 10.0, False), "rate": (1e-5, 1.0, True)}
INTS = {"layers": (1, 12, False), "width": (8, 512, True), "depth": (0, 40, False)}
CHOICES = {"kind": ["a", "b", "c"], "form": ["u", "v", "w", "x", "y"], "flag": ["on", "off"]}


def study_file():
    """The study as bohier reads it."""
    lines = ["objective: {name: loss, direction: minimize}", "seed: 1", "space:"]
    for kind, table in (("float", FLOATS), ("int", INTS)):
        for name, (low, high, log) in table.items():
            scale = ", scale: log" if log else ""
            lines.append(f"  {name}: {{type: {kind}, low: {low}, high: {high}{scale}}}")
    for name, values in CHOICES.items():
        quoted = ", ".join(f'"{v}"' for v in values)
        lines.append(f"  {name}: [{quoted}]")
    return "\n".join(lines) + "\n"


def draw(rng):
    """A configuration drawn uniformly."""
    out = {}
    for table in (FLOATS, INTS):
        for name, (low, high, log) in table.items():
            v = math.exp(rng.uniform(math.log(low), math.log(high))) if log else rng.uniform(low, high)
            out[name] = v if table is FLOATS else min(high, max(low, round(v)))
    for name, values in CHOICES.items():
        out[name] = rng.choice(values)
    return out


def value(p):
    """The loss of a configuration, to be minimised: 0 at best, a few units wide,
    with noise of 0.02 that the configuration itself decides."""
    unit = []
    for table in (FLOATS, INTS):
        for name, (low, high, log) in table.items():
            v = p[name]
            unit.append(math.log(v / low) / math.log(high / low) if log else (v - low) / (high - low))
    at = [CHOICES[c].index(p[c]) for c in CHOICES]
    best = [0.3, 0.7, 0.2 + 0.1 * at[0], 0.6, 0.5, 0.4 + 0.2 * at[2], 0.8]
    loss = sum((k + 1) / 4 * (u - b) ** 2 for k, (u, b) in enumerate(zip(unit, best)))
    loss += 0.3 * math.sin(6 * unit[0] + at[1]) ** 2 + 0.2 * (at[0] != 1) + 0.1 * at[1]
    return loss + random.Random(repr(sorted(p.items()))).gauss(0, 0.02)


def trials(n):
    """The n random configurations a study starts from, with their losses."""
    rng = random.Random(1)
    rows = [draw(rng) for _ in range(n)]
    return [(p, value(p)) for p in rows]
