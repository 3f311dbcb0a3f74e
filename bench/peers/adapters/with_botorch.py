"""BoTorch on the flat unit cube: turbo (TuRBO-1 with Thompson sampling, Eriksson et al. 2019,
as in BoTorch's tutorial but with at most 20 initial points) | saas (log expected improvement
on EnsembleMapSaasSingleTaskGP, the SAAS prior of Eriksson & Jankowiak 2021 without sampling)."""
import math
import sys
import warnings

warnings.simplefilter("ignore")
import botorch
import torch
from botorch.acquisition import LogExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.generation import MaxPosteriorSampling
from botorch.models import SingleTaskGP
from botorch.models.map_saas import EnsembleMapSaasSingleTaskGP
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf
from gpytorch.constraints import Interval
from gpytorch.kernels import MaternKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.mlls import ExactMarginalLogLikelihood
from torch.quasirandom import SobolEngine

from peer import conditional, from_unit, hello, n, objectives, params, seed, value

kind = sys.argv[1]
if objectives > 1:
    sys.exit("the adapter takes one objective")
hello("botorch-" + kind, botorch.__version__, "flat" if conditional else "native")
torch.manual_seed(seed)
torch.set_num_threads(1)
torch.set_default_dtype(torch.double)
d = len(params)
x, y = torch.empty(0, d), torch.empty(0, 1)


def tell(u):
    global x, y
    f = value({p["name"]: from_unit(p, float(v)) for p, v in zip(params, u)})
    x, y = torch.cat([x, u.unsqueeze(0)]), torch.cat([y, torch.tensor([[-f]])])
    return -f


def saas():
    model = EnsembleMapSaasSingleTaskGP(x, y)
    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    bounds = torch.stack([torch.zeros(d), torch.ones(d)])
    u, _ = optimize_acqf(LogExpectedImprovement(model, best_f=y.max()), bounds, 1, num_restarts=4, raw_samples=256)
    return u[0]


class Trust:
    length, successes, failures = 0.8, 0, 0

    def ask(self):
        kernel = ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=d, lengthscale_constraint=Interval(0.005, 4)))
        noise = GaussianLikelihood(noise_constraint=Interval(1e-8, 1e-3))
        model = SingleTaskGP(x, y, covar_module=kernel, likelihood=noise, outcome_transform=Standardize(1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        scale = kernel.base_kernel.lengthscale.squeeze().detach().reshape(d)
        weights = scale / scale.mean()
        weights = weights / weights.log().mean().exp()
        centre = x[y.argmax()]
        low, high = (centre - weights * self.length / 2).clamp(0, 1), (centre + weights * self.length / 2).clamp(0, 1)
        m = 2000  # up to 5,000 in the tutorial, at 16 times the cost
        drawn = low + (high - low) * SobolEngine(d, scramble=True, seed=seed * 1000 + len(x)).draw(m)
        mask = torch.rand(m, d) <= min(20 / d, 1)
        mask[(~mask).all(dim=1), torch.randint(d, ((~mask).all(dim=1).sum(),))] = True
        with torch.no_grad():
            return MaxPosteriorSampling(model=model, replacement=False)(torch.where(mask, drawn, centre), num_samples=1)[0]

    def learn(self, f, best):
        won = f > best + 1e-3 * math.fabs(best)
        self.successes, self.failures = (self.successes + 1, 0) if won else (0, self.failures + 1)
        if self.successes == 3:
            self.length, self.successes = min(2 * self.length, 1.6), 0
        elif self.failures >= max(4, d):
            self.length, self.failures = self.length / 2, 0
        if self.length < 0.5**7:
            self.length = 0.8


trust = Trust()
for u in SobolEngine(d, scramble=True, seed=seed).draw(min(n, 2 * d, 20)).to(y):
    tell(u)
while True:  # value ends the program
    if kind == "saas":
        tell(saas())
    else:
        best = float(y.max())
        trust.learn(tell(trust.ask()), best)
