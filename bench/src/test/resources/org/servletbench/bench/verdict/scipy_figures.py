"""Writes scipy-figures.json, against which VerdictAgainstScipyTest holds the rig's statistics.

    pip install scipy statsmodels
    python3 scipy_figures.py > scipy-figures.json
"""

import json
import sys

import numpy as np
import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests

ALPHA, MARGIN, POWER = 0.05, 0.03, 0.8
rng = np.random.default_rng(20261121)


def power(nc, df, level):
    c = stats.t.isf(level / 2, df)
    near, far = stats.nct.sf(c, df, abs(nc)), stats.nct.cdf(-c, df, abs(nc))
    # SciPy gives NaN for the wrong tail once it is next to nothing.
    return near + (0 if np.isnan(far) and abs(nc) > 5 else far)


def pair(true_ratio, spread, blocks):
    drift = rng.normal(0, 0.05, blocks)
    a = 20_000 * true_ratio * np.exp(drift + rng.normal(0, spread, blocks))
    b = 20_000 * np.exp(drift + rng.normal(0, spread, blocks))
    # As they are written, so that both sides compute from the same numbers.
    return [float(f"{x:.6g}") for x in a], [float(f"{x:.6g}") for x in b]


def judged(a, b, claims):
    la, lb = np.log(a), np.log(b)
    d = la - lb
    n = len(d)
    test = stats.ttest_rel(la, lb)
    interval = test.confidence_interval(1 - ALPHA / claims)
    margin = np.log1p(MARGIN)
    tost = max(
        stats.ttest_1samp(d, -margin, alternative="greater").pvalue,
        stats.ttest_1samp(d, margin, alternative="less").pvalue,
    )
    # And for both tails farther out, so the search starts near the answer.
    enough = stats.t.isf(ALPHA / claims / 2, n - 1)
    while power(enough, n - 1, ALPHA / claims) < POWER:
        enough += 0.5
    nc = optimize.brentq(lambda x: power(x, n - 1, ALPHA / claims) - POWER, 0.01, enough, xtol=1e-12)
    sd = d.std(ddof=1)
    return {
        "a": a,
        "b": b,
        "ratio": np.exp(d.mean()),
        "low": np.exp(interval.low),
        "high": np.exp(interval.high),
        "sd": sd,
        "p": test.pvalue,
        "tostP": tost,
        "wilcoxonP": stats.wilcoxon(la, lb, method="exact").pvalue,
        "detectable": np.expm1(nc * sd / np.sqrt(n)),
    }


wanted = [
    (1.00, 0.02, 10),
    (1.05, 0.02, 10),
    (0.80, 0.02, 10),
    (1.01, 0.003, 10),
    (1.00, 0.004, 12),
    (1.10, 0.10, 10),
    (0.97, 0.05, 5),
    (1.50, 0.20, 6),
    (1.00, 0.01, 25),
    (1.002, 0.001, 40),
    (0.94, 0.02, 8),
    (1.03, 0.02, 20),
]
drawn = [pair(*w) for w in wanted]
pairs = [judged(a, b, len(drawn)) for a, b in drawn]
for kind, adjusted in (("p", "pHolm"), ("tostP", "tostHolm")):
    holm = multipletests([p[kind] for p in pairs], method="holm")[1]
    for p, h in zip(pairs, holm):
        p[adjusted] = h

powers = [
    {
        "difference": difference,
        "sd": sd,
        "blocks": blocks,
        "claims": claims,
        "power": power(np.log1p(difference) * np.sqrt(blocks) / sd, blocks - 1, ALPHA / claims),
    }
    for difference in (0.02, 0.05, -0.10, 0.30)
    for sd in (0.02, 0.0283, 0.1)
    for blocks in (3, 5, 10, 40)
    for claims in (1, 15, 45)
]

# Far out it is NaN: nothing to compare with.
powers = [p for p in powers if p["power"] == p["power"]]

json.dump(
    {
        "made with": f"scipy {scipy.__version__}, statsmodels {statsmodels.__version__}, numpy {np.__version__}",
        "pairs": pairs,
        "powers": powers,
    },
    sys.stdout,
    indent=1,
)
print()
