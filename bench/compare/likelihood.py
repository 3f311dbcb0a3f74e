"""One log likelihood with gradient per repetition: Matern-5/2 with a lengthscale
per coordinate, D = 10, as numpy and OpenBLAS do it best: potrf and potri from
LAPACK in place, one pass over the squared differences per coordinate.

usage: likelihood.py N REPETITIONS
"""

import sys

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs


class Problem:
    def __init__(self, n, d=10):
        rng = np.random.default_rng(1)
        self.n, self.d = n, d
        self.x = rng.random((n, d))
        self.y = np.sin(3 * self.x[:, 0]) + self.x[:, 1] ** 2 + 0.1 * rng.standard_normal(n)
        self.y = (self.y - self.y.mean()) / self.y.std()

    def __call__(self, ell, signal, noise):
        """Log likelihood and gradient over log lengthscales, log signal, log noise."""
        n, r5 = self.n, np.sqrt(5.0)
        z = self.x / ell
        sq = np.einsum("ij,ij->i", z, z)
        r = z @ z.T
        r *= -2
        r += sq[:, None]
        r += sq
        np.maximum(r, 0, out=r)
        np.sqrt(r, out=r)
        r *= r5
        e = np.exp(-r)
        e *= signal
        k = r * r  # signal·(1 + r + r²/3)·exp(−r), r = √5·distance
        k /= 3
        k += r
        k += 1
        k *= e
        f = np.asfortranarray(k)
        f.flat[:: n + 1] += noise
        c, info = dpotrf(f, lower=1, overwrite_a=1, clean=0)
        assert info == 0
        alpha, _ = dpotrs(c, self.y, lower=1)
        value = -0.5 * self.y @ alpha - np.log(np.diag(c)).sum() - 0.5 * n * np.log(2 * np.pi)
        inverse, _ = dpotri(c, lower=1, overwrite_c=1)
        trace = np.trace(inverse)
        w = np.tril(inverse, -1)
        w += w.T
        w.flat[:: n + 1] = np.diag(inverse)
        w *= -1
        w += np.multiply.outer(alpha, alpha)
        dsignal = 0.5 * np.vdot(w, k)
        dnoise = 0.5 * noise * (alpha @ alpha - trace)
        # d k / d log ell_j = signal·(5/3)·(1 + r)·exp(−r)·(z_ij − z_kj)²
        r += 1
        r *= e
        r *= 5 / 3
        w *= r
        row = w.sum(axis=1)
        wz = w @ z
        # ½ Σ w (z_i − z_k)² = Σ_i row_i z_i² − Σ z_i (w z)_i
        dell = np.einsum("i,ij,ij->j", row, z, z) - np.einsum("ij,ij->j", z, wz)
        return value, np.concatenate([dell, [dsignal, dnoise]])


def check(problem):
    """The gradient agrees with differences."""
    theta = np.log(np.concatenate([np.linspace(0.5, 1.5, problem.d), [1.3, 0.1]]))

    def at(t):
        t = np.exp(t)
        return problem(t[: problem.d], t[-2], t[-1])

    grad = at(theta)[1]
    for j in range(len(theta)):
        step = np.zeros_like(theta)
        step[j] = 1e-5
        slope = (at(theta + step)[0] - at(theta - step)[0]) / 2e-5
        assert abs(slope - grad[j]) < 1e-5 * (1 + abs(slope)), (j, slope, grad[j])


if __name__ == "__main__":
    n, repetitions = int(sys.argv[1]), int(sys.argv[2])
    check(Problem(30))
    p = Problem(n)
    for _ in range(repetitions):
        p(np.full(10, 0.5), 1.0, 0.1)
