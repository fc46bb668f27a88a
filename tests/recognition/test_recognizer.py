"""Lines in, records out: texts, places, order, errors, batches, threads."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import LineForm, MemoryPair, write_pack
from ocrlstm.decoding import BeamSearch, greedy
from ocrlstm.errors import ImageError
from ocrlstm.recognition import Recognizer
from ocrlstm.recognition.recognizer import FIRST_CHUNK


def test_text_confidence_and_places(bar_model, bars):
    line = Recognizer(bar_model).recognize(bars(3))
    assert line.text == "iii"
    # Bars are 28 rows of ink, and "i" then has the posterior 1 / (1 + exp(4 - 28)).
    assert line.confidence == pytest.approx(1.0, abs=1e-9)
    assert [character.text for character in line.characters] == ["i", "i", "i"]
    assert line.source == "<array>"
    for n, character in enumerate(line.characters):
        # Bars stand at 8 + 24 n to 16 + 24 n; the paper between two is shared out.
        assert character.x0 <= 8 + 24 * n and 16 + 24 * n <= character.x1
        assert character.x1 - character.x0 <= 24 + 8
    edges = [x for character in line.characters for x in (character.x0, character.x1)]
    assert edges == sorted(edges)
    assert edges[0] >= 0 and edges[-1] <= bars(3).shape[1]


def test_places_are_in_pixels_of_the_source(bar_model, bars):
    small = Recognizer(bar_model).recognize(bars(3))
    double = np.kron(bars(3), np.ones((2, 2), np.uint8))
    large = Recognizer(bar_model).recognize(double)
    assert large.text == "iii"
    for one, two in zip(small.characters, large.characters, strict=True):
        assert two.x0 == pytest.approx(2 * one.x0, abs=4)
        assert two.x1 == pytest.approx(2 * one.x1, abs=4)


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_blank_image_is_an_empty_line(bar_model, value):
    line = Recognizer(bar_model).recognize(np.full((32, 100), value, np.uint8))
    assert (line.text, line.confidence, line.characters, line.error) == ("", 1.0, (), None)


def test_sources(bar_model, bars, tmp_path):
    path = tmp_path / "a.png"
    Image.fromarray(bars(2)).save(path)
    recognizer = Recognizer(bar_model)
    for source in (path, str(path), path.read_bytes(), Image.open(path), bars(2), bars(2) / 255.0):
        assert recognizer.recognize(source).text == "ii"
    assert recognizer.recognize(path).source == str(path)


def test_a_bad_image_raises_alone(bar_model, tmp_path):
    with pytest.raises(ImageError, match="no.png"):
        Recognizer(bar_model).recognize(tmp_path / "no.png")
    with pytest.raises(ImageError, match="limit of 10"):
        Recognizer(bar_model, max_pixels=10).recognize(np.zeros((32, 100), np.uint8))


def test_an_image_too_flat_is_named(bar_model, tmp_path):
    path = tmp_path / "flat.png"
    Image.new("L", (90_000, 1)).save(path)
    with pytest.raises(ImageError, match="flat.png: 90000 x 1"):
        Recognizer(bar_model).recognize(path)


@pytest.mark.parametrize("threads", [1, 2, None])
def test_many_lines_come_in_order(bar_model, bars, threads):
    counts = [(7 * n) % 23 for n in range(2 * FIRST_CHUNK + 5)]
    lines = Recognizer(bar_model, batch_size=4).recognize_lines(map(bars, counts), threads=threads)
    assert [len(line.text) for line in lines] == counts


def test_a_bad_image_among_many_stops_nothing(bar_model, bars, tmp_path):
    images = [bars(1), tmp_path / "no.png", bars(3), b"", bars(2)]
    lines = list(Recognizer(bar_model).recognize_lines(images))
    assert [line.text for line in lines] == ["i", "", "iii", "", "ii"]
    assert [line.error is None for line in lines] == [True, False, True, False, True]
    assert lines[1].source == str(tmp_path / "no.png")
    assert lines[1].confidence == 0.0
    assert isinstance(lines[3].error, ImageError)


def test_only_bad_images(bar_model):
    (line,) = Recognizer(bar_model).recognize_lines([b""])
    assert line.error is not None


def test_no_image_at_all(bar_model):
    assert list(Recognizer(bar_model).recognize_lines([])) == []


def test_alike_alone_and_in_company(bar_model, bars):
    images = [bars(n) for n in (1, 9, 4, 5, 12, 5)]
    recognizer = Recognizer(bar_model)
    assert list(recognizer.recognize_lines(images)) == [recognizer.recognize(i) for i in images]


def test_images_are_drawn_as_needed(bar_model, bars):
    drawn = 0

    def stream():
        nonlocal drawn
        while True:
            drawn += 1
            yield bars(2)

    lines = Recognizer(bar_model).recognize_lines(stream())
    assert next(lines).text == "ii"
    assert drawn == FIRST_CHUNK
    lines.close()


def test_batches_hold_lines_of_like_width(bar_model, bars):
    shapes = []

    class Watched:
        def forward(self, x, lengths):
            shapes.append(x.shape)
            return bar_model.network.forward(x, lengths)

        def frames(self, widths):
            return bar_model.network.frames(widths)

        height, classes, spec = 32, 3, bar_model.network.spec

    watched = replace(bar_model, network=Watched())
    list(Recognizer(watched, batch_size=8).recognize_lines([bars(2), bars(40)] * 8, threads=1))
    assert sorted(shapes) == [(8, 32, 96, 1), (8, 32, 1008, 1)]


def test_the_historical_decoder(bar_model, bars):
    assert Recognizer(bar_model, decoder="threshold").recognize(bars(4)).text == "iiii"


@pytest.mark.parametrize("decoder", ["greedy", "threshold"])
def test_the_models_temperature_makes_its_confidences(bar_model, bars, decoder):
    # 28 rows of ink against 4: the log odds of an "i" are 24; at temperature 12 they are 2.
    model = replace(bar_model, temperature=12.0)
    raw = Recognizer(bar_model, decoder=decoder).recognize(bars(3))
    tempered = Recognizer(model, decoder=decoder).recognize(bars(3))
    assert tempered.text == raw.text == "iii"
    for character in tempered.characters:
        assert character.confidence == pytest.approx(1 / (1 + np.exp(-2)), abs=1e-3)
    assert all(character.confidence > 1 - 1e-9 for character in raw.characters)


def test_lines_of_a_pack_are_not_normalised_again(bar_model, bars, tmp_path):
    pairs = [MemoryPair(bars(count), "i" * count, f"{count}.png") for count in (1, 3)]
    pack = write_pack(tmp_path / "a.pack", pairs, LineForm(bar_model.normalizer)).pack
    lines = list(Recognizer(bar_model).recognize_lines(pack.pairs()))
    assert [(line.text, line.source) for line in lines] == [("i", "1.png"), ("iii", "3.png")]
    width = pack.widths[1] - 2 * bar_model.normalizer.padding
    for packed, image in zip(
        lines[1].characters, Recognizer(bar_model).recognize(bars(3)).characters, strict=True
    ):
        scale = bars(3).shape[1] / width
        assert scale * packed.x0 == pytest.approx(image.x0, abs=1e-6)
        assert packed.confidence == pytest.approx(image.confidence, abs=1e-6)


def test_a_pack_for_another_model_is_refused(bar_model, bars, tmp_path):
    other = replace(bar_model.normalizer, padding=3)
    pairs = [MemoryPair(bars(2), "ii", "a.png")]
    pack = write_pack(tmp_path / "a.pack", pairs, LineForm(other)).pack
    (line,) = Recognizer(bar_model).recognize_lines(pack.pairs())
    assert "a.pack: packed with padding 3 instead of 16, as the model reads lines" in str(
        line.error
    )


def test_wrong_settings():
    with pytest.raises(ValueError, match="'best' is not one of greedy, threshold"):
        Recognizer(None, decoder="best")
    with pytest.raises(ValueError, match="batch_size"):
        Recognizer(None, batch_size=0)


def test_wrong_thread_count(bar_model):
    with pytest.raises(ValueError, match="threads"):
        next(Recognizer(bar_model).recognize_lines([], threads=0))


def test_several_threads_share_one_recognizer(bar_model, bars):
    recognizer = Recognizer(bar_model, batch_size=3)
    counts = list(range(1, 15))
    found: dict[int, list[int]] = {}

    def read(number: int) -> None:
        lines = recognizer.recognize_lines(map(bars, counts), threads=2)
        found[number] = [len(line.text) for line in lines]

    threads = [threading.Thread(target=read, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: counts for n in range(4)}


def test_a_decoder_of_ones_own(bar_model, bars):
    def every_bar_twice(log_posteriors):
        return [half for s in greedy(log_posteriors) for half in halves(s)]

    def halves(symbol):
        middle = (symbol.start + symbol.end) // 2
        return [replace(symbol, end=middle), replace(symbol, start=middle)]

    assert Recognizer(bar_model, decoder=every_bar_twice).recognize(bars(2)).text == "iiii"


def test_a_beam_search_reads_the_same_where_all_is_sure(sure_bar_model, bars):
    greedily = Recognizer(sure_bar_model).recognize(bars(3))
    assert Recognizer(sure_bar_model, decoder="beam").recognize(bars(3)) == greedily
    assert Recognizer(sure_bar_model, decoder=BeamSearch(4)).recognize(bars(3)) == greedily


def test_readings_begin_with_the_text(sure_bar_model, bars):
    recognizer = Recognizer(sure_bar_model, decoder="beam", n_best=3, alternatives=2)
    line = recognizer.recognize(bars(2))
    assert line.readings[0].text == line.text == "ii"
    assert line.readings[0].score == pytest.approx(0, abs=1e-3)
    scores = [reading.score for reading in line.readings]
    assert scores == sorted(scores, reverse=True)
    # Nothing but the blank comes near.
    assert [character.alternatives for character in line.characters] == [(), ()]
    assert Recognizer(sure_bar_model).recognize(bars(2)).readings == ()


def test_whitelists_and_blacklists(bar_model, bars):
    assert Recognizer(bar_model, whitelist="i").recognize(bars(3)).text == "iii"
    without = Recognizer(bar_model, blacklist="i", decoder="greedy").recognize(bars(3))
    assert without.text == ""
    recognizer = Recognizer(bar_model, whitelist="iö")
    assert recognizer.notes == ("on the whitelist but unknown to the model: 'ö' (U+00F6)",)
    with pytest.raises(ValueError, match="leave no character"):
        Recognizer(bar_model, whitelist="x")


def test_n_best_needs_a_beam_search(bar_model):
    with pytest.raises(ValueError, match="n_best needs a beam search, not the decoder 'greedy'"):
        Recognizer(bar_model, n_best=2)
    with pytest.raises(ValueError, match="at least 0"):
        Recognizer(bar_model, alternatives=-1)
