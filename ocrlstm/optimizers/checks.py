"""Settings that several optimisers have, checked."""

from __future__ import annotations

__all__ = ["check_epsilon", "check_shares"]


def check_shares(**shares: float) -> None:
    """Raise ValueError unless every share that is kept from step to step lies in [0, 1)."""
    for name, share in shares.items():
        if not 0.0 <= share < 1.0:
            raise ValueError(f"{name} must lie in [0, 1), not {share}")


def check_epsilon(epsilon: float) -> None:
    """Raise ValueError unless what keeps a denominator off 0 is above it."""
    if not epsilon > 0.0:
        raise ValueError(f"epsilon must be above 0, not {epsilon}")
