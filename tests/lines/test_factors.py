import pytest

from ocrlstm.lines import DISTORTIONS, check_factors


def test_factors_come_in_the_order_of_the_table():
    assert list(check_factors({"blur": 2, "width": 0})) == ["width", "blur"]
    assert check_factors({"blur": 2}) == {"blur": 2.0}
    assert check_factors({}) == {}


def test_an_unknown_name_is_refused_with_the_nearest_known():
    with pytest.raises(ValueError, match="no distortion 'blurr'; did you mean 'blur'?") as found:
        check_factors({"blurr": 1.0})
    assert all(name in str(found.value) for name in DISTORTIONS)
    with pytest.raises(ValueError, match="no distortion 'xyzzy'; All are"):
        check_factors({"xyzzy": 1.0})


@pytest.mark.parametrize(
    ("factor", "message"),
    [
        (-1.0, "is -1; it must lie in 0 to 5"),
        (5.1, "is 5.1; it must lie in 0 to 5"),
        (float("nan"), "is nan; it must lie in 0 to 5"),
        ("much", "is 'much'; it must be a number"),
        (True, "is True; it must be a number"),
        (None, "is None; it must be a number"),
    ],
)
def test_a_factor_that_is_none(factor, message):
    with pytest.raises(ValueError, match=f"the factor of blur {message}"):
        check_factors({"blur": factor})
