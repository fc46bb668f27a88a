"""What else a character might be, from the frames of its symbol."""

import numpy as np

from ocrlstm.decoding import Symbol, find_alternatives

POSTERIORS = np.log(
    np.array(
        [
            [0.1, 0.6, 0.2, 0.1],
            [0.2, 0.4, 0.1, 0.3],
            [0.97, 0.01, 0.0199, 0.0001],
            [0.3, 0.00005, 0.69985, 0.0001],
        ]
    )
)


def test_likeliest_of_all_frames_of_the_symbol_first():
    symbols = [Symbol(1, 0, 2, 0.6), Symbol(2, 3, 4, 0.7)]
    first, second = find_alternatives(symbols, POSTERIORS, 5)
    assert first == [(3, 0.3), (2, 0.2)]
    # The blank is no alternative, nor is what is below 0.0001.
    assert second == [(3, 0.0001)]


def test_no_more_than_asked_for():
    assert find_alternatives([Symbol(1, 0, 2, 0.6)], POSTERIORS, 1) == [[(3, 0.3)]]
    assert find_alternatives([], POSTERIORS, 3) == []


def test_a_symbol_that_was_not_the_likeliest():
    assert find_alternatives([Symbol(2, 0, 1, 0.2)], POSTERIORS, 1) == [[(1, 0.6)]]
