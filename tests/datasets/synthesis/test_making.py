"""Whole lines, and many of them."""

import io
import pickle

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import LineForm, find_pairs, open_pack
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.synthesis import (
    Kind,
    LineMaker,
    Mix,
    Recipe,
    Respelling,
    TextSource,
    generate_folder,
    generate_pack,
    output,
    read_catalogue,
)
from ocrlstm.errors import DatasetError, OutputError
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.lines import LineNormalizer
from ocrlstm.text import TextRules

FORM = LineForm(LineNormalizer(height=32))
KINDS = (
    Kind("print", 2),
    Kind("typed", 1, press="typewriter"),
    Kind("dots", 1, press="dots"),
)


@pytest.fixture
def make(font_file, text_file):
    def make(*kinds, text=None, seed=0, wear=1.0, **more):
        source = TextSource("text", str(text or text_file), length=(5, 30))
        recipe = Recipe((source,), kinds or KINDS, **more)
        return LineMaker(recipe, read_catalogue(recipe.kinds, [font_file]), seed, wear)

    return make


def test_a_line_depends_on_seed_and_number_alone(make):
    maker = make()
    lines = [maker.draw(number) for number in range(12)]
    again = pickle.loads(pickle.dumps(maker))
    for number in (7, 3):
        line = again.draw(number)
        np.testing.assert_array_equal(line.pixels, lines[number].pixels)
        assert (line.text, line.name) == (lines[number].text, lines[number].name)
    other = make(seed=1)
    assert all(other.draw(n).pixels.tobytes() != lines[n].pixels.tobytes() for n in range(12))
    assert len({line.name for line in lines}) == 12
    assert {line.name.split("-")[2] for line in lines} == {"print", "typed", "dots"}


def test_lines_look_like_scans(make):
    maker = make()
    for number in range(40):
        line = maker.draw(number)
        assert line.pixels.dtype == np.uint8 and line.pixels.ndim == 2
        assert 8 <= line.pixels.shape[0] <= 120
        dark, light = np.percentile(line.pixels, [2, 60])
        assert light - dark > 40, line.name


def test_without_wear_a_line_is_as_on_a_screen(make):
    line = make(KINDS[0], wear=0.0).draw(0)
    assert np.mean(line.pixels > 235) > 0.6


def test_what_is_drawn_and_what_it_says_may_differ(make, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("Ober⸗Amt a⸗b\n" * 3, "utf-8")
    mix = Mix(0, 0, 0, 0, 0, 0)
    lost = make(KINDS[0], text=text, mix=mix).draw(0)
    assert isinstance(lost, Problem) and "no font has" in lost.reason
    drawn = Kind("k", draw=Respelling({"⸗": "-"}))
    assert "⸗" in make(drawn, text=text, mix=mix).draw(1).text
    both = Kind("k", draw=Respelling({"⸗": "-"}), truth=Respelling({"⸗": "="}))
    assert "=" in make(both, text=text, mix=mix).draw(1).text


def test_small_capitals_may_be_written_as_capitals(make, monkeypatch):
    maker = make(KINDS[0])
    (fonts,) = maker.catalogue.kinds
    kind = Kind("caps", small_capitals="capitals")
    object.__setattr__(fonts, "kind", kind)
    assert maker.draw(0).text.isupper()


@pytest.fixture
def two_processes(monkeypatch):
    monkeypatch.setattr(output, "_FEWEST_FOR_PROCESSES", 1)
    set_thread_count(2)
    yield
    set_thread_count(None)


def test_a_pack_is_the_same_by_any_number_of_processes(make, tmp_path, two_processes):
    done = generate_pack(tmp_path / "two.pack", make(), 21, FORM)
    assert (done.lines, done.complete, done.problems) == (21, True, [])
    set_thread_count(1)
    seen = []
    generate_pack(tmp_path / "one.pack", make(), 21, FORM, progress=lambda *p: seen.append(p))
    assert (tmp_path / "one.pack").read_bytes() == (tmp_path / "two.pack").read_bytes()
    assert seen == [(number, 21) for number in range(1, 22)]
    pack = open_pack(done.path)
    maker = make()
    assert [pack.text(n) for n in range(21)] == [maker.draw(n).text for n in range(21)]
    assert pack.sample(0).pixels.shape[0] == 32


def test_texts_follow_the_rules_of_the_form(make, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("»abc« “dcb”\n" * 3, "utf-8")
    form = LineForm(FORM.normalizer, "NFC", TextRules(("guillemets", "quotes")))
    generate_pack(tmp_path / "p.pack", make(KINDS[0], text=text), 9, form)
    texts = [open_pack(tmp_path / "p.pack").text(number) for number in range(9)]
    assert any('"' in text for text in texts)
    assert not set("»«“”") & set("".join(texts))


def test_a_folder_of_pairs(make, tmp_path):
    folder = tmp_path / "new" / "folder"
    maker = make()
    done = generate_folder(folder, maker, 6, FORM)
    found = find_pairs([str(folder)])
    assert done.lines == len(found.pairs) == 6
    by_name = {pair.name.rsplit("/")[-1]: pair.read_text() for pair in found.pairs}
    line = maker.draw(2)
    assert by_name[f"{line.name}.png"] == line.text
    with Image.open(folder / f"{line.name}.png") as picture:
        np.testing.assert_array_equal(np.asarray(picture), line.pixels)
    with pytest.raises(OutputError, match="has files already"):
        generate_folder(folder, maker, 6, FORM)


def test_an_interrupted_pack_keeps_what_was_drawn(make, tmp_path):
    def interrupt(done, total):
        if done == 4:
            raise KeyboardInterrupt

    done = generate_pack(tmp_path / "p.pack", make(), 9, FORM, progress=interrupt)
    assert (done.lines, done.complete) == (4, False)
    assert done.path == tmp_path / "p.partial.pack" and not (tmp_path / "p.pack").exists()
    assert not open_pack(done.path).complete
    folder = generate_folder(tmp_path / "f", make(), 9, FORM, progress=interrupt)
    assert (folder.lines, folder.complete) == (4, False)
    assert len(list((tmp_path / "f").glob("*.png"))) == 4


def test_nothing_drawn_is_an_error(make, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("\N{HIRAGANA LETTER A}\N{HIRAGANA LETTER I}", "utf-8")
    mix = Mix(0, 0, 0, 0, 0, 0)
    for generate, name in ((generate_pack, "p.pack"), (generate_folder, "f")):
        with pytest.raises(DatasetError, match="not one of 3 lines could be drawn; .*no font has"):
            generate(tmp_path / name, make(KINDS[0], text=text, mix=mix), 3, FORM)
    assert not (tmp_path / "p.pack").exists()


def test_a_missing_text_is_told_before_anything_is_written(make, tmp_path):
    with pytest.raises(DatasetError, match="none.txt: cannot be read"):
        generate_pack(tmp_path / "p.pack", make(text=tmp_path / "none.txt"), 3, FORM)
    assert not list(tmp_path.glob("*.pack"))


def test_png_of_a_folder_is_readable(make):
    entry = output._DrawFile(make(), FORM)(0)
    with Image.open(io.BytesIO(entry[1])) as picture:
        assert picture.mode == "L"
