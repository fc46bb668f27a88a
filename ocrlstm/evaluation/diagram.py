"""The reliability diagram as SVG, to stand inside an HTML page."""

from __future__ import annotations

from ocrlstm.evaluation.reliability import Bin, Reliability

__all__ = ["reliability_diagram"]

# The square of the diagram, and the space for the numbers around it.
_SIDE = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 12, 44


def reliability_diagram(reliability: Reliability) -> str:
    """Draw how often characters are right against how sure they were (Guo et al. 2017, figure 1).

    Parameters
    ----------
    reliability : Reliability

    Returns
    -------
    str
        An ``<svg>`` of one bar for each of `Reliability.bins`: its height is the share that is
        right, the line across it the mean confidence, which should meet the diagonal there. The
        darker a bar, the more characters; the numbers show when it is pointed at.
    """
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    most = max((each.count for each in reliability.bins), default=1)
    marks = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = "".join(
        f'<path d="M{_x(0):g} {_y(mark):g}H{_x(1):g}" stroke="#ddd"/>'
        f'<text x="{_x(0) - 6:g}" y="{_y(mark) + 4:g}" text-anchor="end">{mark:.0%}</text>'
        f'<text x="{_x(mark):g}" y="{_y(0) + 18:g}" text-anchor="middle">{mark:.0%}</text>'
        for mark in marks
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        'font-size="12" font-family="sans-serif" fill="#222">'
        "<title>Share of characters that is right, by confidence</title>"
        f"{grid}{''.join(_bar(each, most) for each in reliability.bins)}"
        f'<path d="M{_x(0):g} {_y(0):g}L{_x(1):g} {_y(1):g}" stroke="#b3261e" '
        'stroke-dasharray="4 4"/>'
        f'<path d="M{_x(0):g} {_y(1):g}V{_y(0):g}H{_x(1):g}" stroke="#222" fill="none"/>'
        f'<text x="{_x(0.5):g}" y="{height - 6}" text-anchor="middle">confidence</text>'
        f'<text transform="translate(12 {_y(0.5):g}) rotate(-90)" text-anchor="middle">'
        "right</text></svg>"
    )


def _bar(each: Bin, most: int) -> str:
    left, right = _x(each.low), _x(each.high)
    shade = 0.25 + 0.75 * each.count / most
    told = (
        f"{each.low:.0%} to {each.high:.0%}: {each.count} characters, "
        f"mean confidence {each.confidence:.1%}, {each.accuracy:.1%} right"
    )
    return (
        f'<g><title>{told}</title><rect x="{left + 1:g}" y="{_y(each.accuracy):.1f}" '
        f'width="{right - left - 2:g}" height="{_y(0) - _y(each.accuracy):.1f}" fill="#0b57a4" '
        f'fill-opacity="{shade:.2f}"/>'
        f'<path d="M{left + 1:g} {_y(each.confidence):.1f}H{right - 1:g}" stroke="#222" '
        'stroke-width="2"/></g>'
    )


def _x(share: float) -> float:
    return round(_LEFT + _SIDE * share, 2)


def _y(share: float) -> float:
    return round(_TOP + _SIDE * (1 - share), 2)
