"""Non-linearities, each on its own."""

from cases import Case
from ocrlstm.layers import Activation
from ocrlstm.layers.nonlinearity import ACTIVATIONS

FORMULAS = {
    "logistic": ("1 / (1 + exp(-x))", "OCRopus"),
    "loggy": ("2 / (1 + exp(-x)) - 1", "darknet"),
    "tanh": ("tanh(x)", "OCRopus"),
    "relu": ("max(x, 0)", "Nair and Hinton, ICML 2010"),
    "leaky": ("x > 0: x; else 0.1 x", "darknet; Maas, Hannun and Ng, 2013"),
    "relie": ("x > 0: x; else 0.01 x", "darknet"),
    "ramp": ("x > 0: 1.1 x; else 0.1 x", "darknet"),
    "linear": ("x", "darknet"),
    "plse": ("x < -4: 0.01 (x + 4); x > 4: 0.01 (x - 4) + 1; else 0.125 x + 0.5", "darknet"),
    "stair": ("n = floor(x); n even: n / 2; odd: x - n + floor(n / 2)", "darknet"),
    "hardtan": ("min(max(x, -1), 1)", "darknet"),
    "lhtan": ("x < 0: 0.001 x; x > 1: 0.001 (x - 1) + 1; else x", "darknet"),
    "elu": ("x > 0: x; else exp(x) - 1", "Clevert, Unterthiner and Hochreiter, ICLR 2016"),
    "selu": (
        "1.0507 (x > 0: x; else 1.6733 (exp(x) - 1))",
        "Klambauer et al., NIPS 2017, eq. 2",
    ),
    "elliot": ("0.5 x / (1 + |x|) + 0.5", "NumPyNet; Elliott, 1993"),
    "symmelliot": ("x / (1 + |x|)", "NumPyNet; Elliott, 1993"),
    "softplus": ("log(1 + exp(x))", "NumPyNet; Dugas et al., NIPS 2000"),
    "softsign": ("x / (1 + |x|)", "NumPyNet; Bergstra et al., 2009"),
    "gelu": ("x (1 + erf(x / sqrt(2))) / 2", "Hendrycks and Gimpel, 2016"),
    "swish": ("x / (1 + exp(-x))", "Ramachandran, Zoph and Le, 2017"),
    "hardswish": ("x min(max(x + 3, 0), 6) / 6", "Howard et al., ICCV 2019"),
}

ABOUT = {
    f"{name} activation": (f"y = {formula}", source) for name, (formula, source) in FORMULAS.items()
}


def activation(name):
    return lambda: Activation(name)


# A quarter of a unit away from every kink.
CASES = [
    Case(f"{name} activation", activation(name), shape, lengths, "quarters")
    for name in ACTIVATIONS
    for shape, lengths in (((None, 2), (9, 1, 7)), ((2, None, 7), (2, 9)))
]
