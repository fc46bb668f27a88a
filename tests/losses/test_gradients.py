"""The gradient of every loss against central differences: one line a case."""

import pytest
from loss_cases import all_about, all_cases, error_of

from ocrlstm.losses import LOSSES


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_gradient(case):
    assert error_of(case) <= 1e-6


def test_every_loss_has_its_cases_and_its_formula():
    # the gradient of "ocropus" is no derivative; tests/kernels holds it against its reference
    assert {case.name for case in all_cases()} == set(all_about()) == set(LOSSES) - {"ocropus"}
