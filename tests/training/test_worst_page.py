"""The page of the worst validation lines."""

import dataclasses

import numpy as np
import pytest

from ocrlstm.errors import OutputError
from ocrlstm.training import find_worst, write_worst_page


@pytest.fixture
def result(train_tiny, tiny):
    """A model that has learnt next to nothing, with six lines held back."""
    return train_tiny(config=dataclasses.replace(tiny, validation_share=0.5))


def test_the_worst_first(result):
    done = []
    report, worst = find_worst(
        result.model, result.validation, 4, progress=lambda *numbers: done.append(numbers)
    )
    assert report.cer == result.model.metadata["validation_cer"]
    assert done == [(n, 6) for n in range(1, 7)]
    assert len(worst) == min(4, report.lines - report.exact_lines) > 1
    assert [line.edits for line in worst] == sorted((line.edits for line in worst), reverse=True)
    samples = {sample.name: sample for sample in result.validation}
    for line in worst:
        assert line.truth == samples[line.name].text != line.reading
        np.testing.assert_array_equal(line.picture, samples[line.name].pixels)


def test_the_page(result, tmp_path):
    write_worst_page(tmp_path / "w.html", result.model, result.validation, "model <1>")
    text = (tmp_path / "w.html").read_text(encoding="utf-8")
    _, worst = find_worst(result.model, result.validation)
    assert "<h1>Worst lines of model &lt;1&gt;</h1>" in text
    assert text.count("data:image/png;base64,") == len(worst)
    assert all(line.name in text for line in worst)
    assert f"{result.model.metadata['validation_cer']:.2%}" in text


@pytest.mark.parametrize("name", ["w.txt", "missing/w.html"])
def test_where_no_page_can_be_written(result, tmp_path, name):
    with pytest.raises(OutputError, match=rf"{name}: "):
        write_worst_page(tmp_path / name, result.model, result.validation, "m")
