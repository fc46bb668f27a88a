import numpy as np

from ocrlstm.lines import draw_sheet


def test_lines_stand_one_below_the_other():
    one, other = np.ones((5, 7), np.float32), np.zeros((3, 10), np.float32)
    sheet = draw_sheet([one, other])
    assert sheet.shape == (5 + 4 + 3, 10)
    assert (sheet[:5, :7] == 1).all()
    assert (sheet[-3:] == 0).all()
    assert 0 < sheet[5:9].min() == sheet[:5, 7:].max() < 1


def test_one_line_is_itself():
    line = np.random.default_rng(0).random((4, 6), np.float32)
    np.testing.assert_array_equal(draw_sheet([line]), line)
