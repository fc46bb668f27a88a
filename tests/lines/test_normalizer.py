import json

import pytest

from ocrlstm.lines import LineNormalizer


def test_defaults_are_those_of_ocropus():
    assert LineNormalizer().to_dict() == {
        "kind": "center",
        "height": 48,
        "range": 4.0,
        "smoothness": 1.0,
        "extra": 0.3,
        "padding": 16,
    }


def test_settings_survive_json():
    normalizer = LineNormalizer("scale", 32, 3.5, 2.0, 0.0, 4)
    assert LineNormalizer.from_dict(json.loads(json.dumps(normalizer.to_dict()))) == normalizer


def test_keys_left_out_take_their_defaults():
    assert LineNormalizer.from_dict({"height": 40}) == LineNormalizer(height=40)


def test_unknown_keys_are_refused_by_name():
    with pytest.raises(ValueError, match="colour, zoom"):
        LineNormalizer.from_dict({"height": 40, "zoom": 2, "colour": 1})


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "centre"},
        {"height": 3},
        {"height": 48.0},
        {"height": True},
        {"height": "48"},
        {"height": 1001},
        {"padding": -1},
        {"padding": 1.5},
        {"range": 0},
        {"range": -1.0},
        {"range": float("nan")},
        {"smoothness": float("inf")},
        {"extra": -0.1},
        {"extra": None},
    ],
)
def test_settings_that_make_no_line_are_refused(values):
    with pytest.raises(ValueError, match=next(iter(values))):
        LineNormalizer(**values)
