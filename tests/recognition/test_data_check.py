"""Checking data against a model, from a script."""

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import LineForm, find_pairs, write_pack
from ocrlstm.recognition import Recognizer, check_data_with_model


@pytest.fixture
def folder(bars, tmp_path):
    for name, count, text in [
        ("a", 4, "iiii"),
        ("b", 5, "ii ii"),
        ("c", 6, "i" * 40),
        ("d", 7, "x"),
    ]:
        Image.fromarray(bars(count)).save(tmp_path / f"{name}.png")
        (tmp_path / f"{name}.gt.txt").write_text(text)
    return tmp_path


def names(report):
    return {
        kind: [finding.name.rpartition("/")[2] for finding in found]
        for kind, found in report.findings.items()
    }


def test_characters_frames_and_mispairs(folder, bar_model):
    report = check_data_with_model([folder], Recognizer(bar_model))
    assert names(report) == {"missing_characters": ["d.gt.txt"], "mispair": ["c.png"]}
    # b: one space too few; c: 34 too few; d: seven for one.
    assert report.cer == (1 + 34 + 7) / (4 + 5 + 40 + 1)
    (folder / "c.gt.txt").write_text("i" * 200)
    found = names(check_data_with_model([folder], Recognizer(bar_model)))
    assert found["too_long"] == ["c.png"]


def test_the_same_of_a_pack(folder, bar_model):
    form = LineForm(bar_model.normalizer, bar_model.codec.normal_form, bar_model.rules)
    pairs = find_pairs([folder]).pairs
    pack = write_pack(folder / "lines.pack", pairs, form).pack
    of_images = check_data_with_model([folder], Recognizer(bar_model))
    of_pack = check_data_with_model([pack], Recognizer(bar_model))
    assert of_pack.cer == of_images.cer
    assert [len(found) for found in of_pack.findings.values()] == [1, 1]


def test_an_image_that_cannot_be_read(folder, bar_model):
    (folder / "a.png").write_bytes(b"")
    Image.fromarray(np.full((32, 90), 255, np.uint8)).save(folder / "b.png")
    report = check_data_with_model([folder], Recognizer(bar_model))
    assert (report.pairs, report.lines_read) == (4, 2)
