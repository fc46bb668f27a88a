"""What lines say: cut from texts, mixed with others, spelt by habits."""

import re

import numpy as np
import pytest

from ocrlstm.datasets.synthesis.habits import HABITS, apply_habits
from ocrlstm.datasets.synthesis.mixing import (
    Mix,
    figures_line,
    mix_line,
    rare_line,
    signs_line,
)
from ocrlstm.datasets.synthesis.texts import Text, TextSource, cut_line, read_lines
from ocrlstm.errors import DatasetError, EncodingError

LINES = [
    "the considerable machinery of the neigh-",
    "bouring province was repaired by a number of",
    "wandering mechanics before the winter",
]
WHOLE = "the considerable machinery of the neighbouring province was repaired by a number of"


def test_a_cut_line_is_a_piece_of_the_text(rng):
    for length in range(8, 60):
        line = cut_line(LINES, 0, length, "", rng)
        assert 0 < len(line) <= max(length, 12)
        assert line in " ".join([WHOLE, LINES[2]])


def test_the_last_word_is_divided_at_times(rng):
    lines = [cut_line(LINES, 0, length, "⸗", rng) for length in range(12, 60)]
    divided = [line[:-1] for line in lines if line.endswith("⸗")]
    assert len(divided) > 5
    for line in divided:
        part = line.split()[-1]
        text = " ".join([WHOLE, LINES[2]])
        assert len(part) >= 2 and line in text and f"{line} " not in text


def test_lines_may_stay_as_they_are(rng):
    text = Text(TextSource("t", "t.txt"), LINES)
    assert {text.draw(rng) for _ in range(40)} == set(LINES)


def test_endless_lines_are_shortened(rng):
    text = Text(TextSource("t", "t.txt"), ["word " * 2000 + "end"])
    assert len(text.draw(rng)) <= 250


def test_text_files(tmp_path):
    file = tmp_path / "t.txt"
    file.write_bytes("\ufeffone  two\r\n\r\n e\u0301\n".encode())
    assert read_lines(file) == ["one two", "é"]
    file.write_bytes(b"caf\xe9")
    with pytest.raises(EncodingError, match="t.txt: is not UTF-8 .byte 3"):
        read_lines(file)
    file.write_text("\n \n")
    with pytest.raises(DatasetError, match="t.txt: holds no text"):
        read_lines(file)
    with pytest.raises(DatasetError, match="none.txt: cannot be read"):
        read_lines(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("habit", "text", "printed"),
    [
        ("long_s", "Haus, dasselbe ist süß was-", "Haus, daſſelbe iſt ſüß waſ-"),
        ("u_for_v", "une ville vive sur Uranus", "vne ville viue sur Vranus"),
        ("i_for_j", "jam Julius hujus", "iam Iulius huius"),
        ("round_r", "dreb orbis", "dꝛeb oꝛbis"),
        ("e_above", "Häuſer über öl", "Ha\u0364uſer u\u0364ber o\u0364l"),
        ("double_hyphen", "Ober-Amt und - da-", "Ober⸗Amt und - da⸗"),
        ("virgule", "erst, dann 1,5,", "erst / dann 1,5 /"),
    ],
)
def test_habits_that_always_hold(rng, habit, text, printed):
    assert apply_habits(text, {habit: 1.0}, rng) == printed


def test_habits_that_hold_at_times(rng):
    text = "contra omnem quoque promptum et perfectum tantum bonum"
    made = {
        apply_habits(text, {"tildes": 1, "latin_signs": 1, "ampersand": 1}, rng) for _ in range(60)
    }
    together = "".join(made)
    assert len(made) > 20
    for sign in ("ã", "õ", "ꝯ", "ꝓ", "ꝑ", "&", "q\u0303", "qꝫ"):
        assert sign in together


def test_no_habit_no_change(rng):
    assert apply_habits("les uns", {}, rng) == "les uns"
    assert set(HABITS) >= {"long_s", "tildes"}


def test_shares_of_kinds_of_lines(rng):
    text = "alice was beginning to get very tired"
    none = Mix(0, 0, 0, 0, 0, 0)
    assert mix_line(text, none, rng) == text
    assert mix_line(text, Mix(1, 0, 0, 0, 0, 0), rng).isupper()
    assert mix_line(text, Mix(0, 1, 0, 0, 0, 0), rng).istitle()
    assert re.search(r"\d", mix_line(text, Mix(0, 0, 1, 0, 0, 0), rng))
    assert len(mix_line(text, Mix(0, 0, 0, 0, 1, 0), rng).split()) <= 3
    lines = [mix_line(text, Mix(0.3, 0, 0, 0, 0, 0), rng) for _ in range(400)]
    assert 0.2 < np.mean([line.isupper() for line in lines]) < 0.4


def test_lines_of_figures_and_signs_hold_many(rng):
    words = "alice was beginning".split()
    figures = "".join(figures_line(words, rng) for _ in range(200))
    assert set("0123456789.,:()-%+;") <= set(figures)
    signs = "".join(signs_line(words, "«»", rng) for _ in range(200))
    assert set("«»()[].,;:!?") <= set(signs) and "“" not in signs


def test_rare_characters_come_into_lines(rng):
    lines = [rare_line("alice was beginning".split(), "§ÿ", rng) for _ in range(50)]
    assert all("§" in line or "ÿ" in line for line in lines)
    assert any(re.search("[a-z]ÿ|ÿ[a-z]", line) for line in lines)
    assert rare_line(["alice"], "", rng) == "alice"
