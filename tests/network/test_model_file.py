"""Model files: what was written comes back, and whatever else a file may hold is refused."""

import json
import os
import time
import tracemalloc
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from ocrlstm.errors import ModelFileError, OutputError
from ocrlstm.layers import (
    LSTM,
    BatchNorm,
    Columns,
    Convolution,
    Identity,
    Shortcut,
    Softmax,
)
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import (
    FORMAT_VERSION,
    LineModel,
    Network,
    load_model_file,
    model_bytes,
    save_model,
)
from ocrlstm.text import Codec, TextRules

DATA = Path(__file__).parent / "data"


def make_model():
    network = Network("[1,8,0,1 Cr3,3,2 Mp2,2 Lbx3 O1c]", 4, np.random.default_rng(1))
    metadata = {"licence": "Apache-2.0", "history": [0.5, 0.25], "note": "ſé"}
    return LineModel(network, Codec(("", " ", "a", "ſ")), LineNormalizer(height=8), metadata)


WHOLE = model_bytes(make_model())
WEIGHTS = load(WHOLE)


def header_of(content):
    size = int.from_bytes(content[:8], "little")
    return json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["ocrlstm"])


HEADER = header_of(WHOLE)


def changed(weights=None, **fields):
    """The content of a file with other header fields (... leaves one out) or weights."""
    header = {key: value for key, value in (HEADER | fields).items() if value is not ...}
    return save(WEIGHTS if weights is None else weights, {"ocrlstm": json.dumps(header)})


@pytest.fixture
def refuse(tmp_path):
    """Check that a content is refused in one line that names the file and tells the reason."""

    def check(content, told=""):
        path = tmp_path / "bad.safetensors"
        path.write_bytes(content)
        with pytest.raises(ModelFileError) as error:
            load_model_file(path)
        message = str(error.value)
        assert message.startswith(f"{path}: ") and "\n" not in message
        assert told in message
        return message

    return check


def test_round_trip(tmp_path):
    model = make_model()
    save_model(model, tmp_path / "a.safetensors")
    again = load_model_file(tmp_path / "a.safetensors")
    assert (again.codec, again.normalizer) == (model.codec, model.normalizer)
    assert again.metadata == model.metadata
    assert again.network.spec == "[1,8,0,1 Cr3,3,2 Mp2,2 Lbx3 O1c4]"
    for name, weights in model.network.parameters().items():
        np.testing.assert_array_equal(again.network.parameters()[name], weights)
    assert (tmp_path / "a.safetensors").read_bytes() == WHOLE == model_bytes(again)
    x = np.random.default_rng(0).random((1, 8, 20, 1)).astype(np.float32)
    results = [m.network.forward(x, np.array([20]))[0].tobytes() for m in (model, again)]
    assert results[0] == results[1]


def test_format_1_is_read_forever():
    model = load_model_file(DATA / "format-1.safetensors")
    expected = np.load(DATA / "format-1.npz")
    y, frames = model.network.forward(expected["images"], expected["widths"])
    np.testing.assert_array_equal(frames, expected["frames"])
    np.testing.assert_allclose(y, expected["log_posteriors"], rtol=0, atol=1e-5)
    labels = ("", " ", "a", "b", "e\u0301", "\u017f", "\ufb01")
    assert model.codec == Codec(labels, "grapheme", "NFD", "rtl")
    assert model.normalizer == LineNormalizer("scale", 16, 3.5, 0.75, 0.25, 8)
    assert model.metadata == {
        "licence": "CC0-1.0", "history": [{"epoch": 1, "cer": 0.25}], "note": "\u017f",
    }  # fmt: skip
    assert model.network.spec == (
        "[1,16,0,1 Cr3,3,4 Mp2,2 Ct3,5,3,2,1 Do0.1,2 S1(1x0)1,3 Lbx{reader}7 Do0.5 Lfx5 Lrx3 O1c7]"
    )
    if FORMAT_VERSION == 1:
        assert model_bytes(model) == (DATA / "format-1.safetensors").read_bytes()


def test_what_is_no_file(tmp_path):
    for path in (tmp_path / "none.safetensors", tmp_path):
        with pytest.raises(ModelFileError, match="no such model file"):
            load_model_file(path)


def test_cut_anywhere(refuse):
    for size in [*range(0, 64), *range(64, len(WHOLE), 61), len(WHOLE) // 2, len(WHOLE) - 1]:
        refuse(WHOLE[:size])


def test_bytes_behind_the_end(refuse):
    refuse(WHOLE + b"more")


@settings(max_examples=300, deadline=None)
@given(
    place=st.one_of(st.integers(0, 2000), st.integers(0, len(WHOLE) - 1)),
    byte=st.integers(0, 255),
)
def test_a_changed_byte_is_refused_or_harmless(tmp_path_factory, place, byte):
    path = tmp_path_factory.getbasetemp() / "flipped.safetensors"
    content = bytearray(WHOLE)
    content[place] = byte
    path.write_bytes(content)
    try:
        model = load_model_file(path)
    except ModelFileError as error:
        assert "\n" not in str(error)
    else:
        assert all(np.isfinite(w).all() for w in model.network.parameters().values())


@pytest.mark.parametrize("content", [b"", b"\x80\x04N.", b"PK\x03\x04" + bytes(60), bytes(4096)])
def test_files_of_other_kinds(refuse, content):
    refuse(content, "damaged or not a model file")


def test_safetensors_of_other_programs(refuse):
    told = "not of ocrlstm"
    refuse(save({"weight": np.zeros(3)}), told)
    refuse(save({"weight": np.zeros(3)}, {"format": "pt"}), told)
    refuse(save(WEIGHTS, {"vgsl": HEADER["spec"]}), told)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (FORMAT_VERSION + 1, "install a newer ocrlstm"),
        (10**30, "install a newer ocrlstm"),
        (0, "no format version"),
        (-1, "no format version"),
        (1.0, "no format version"),
        ("1", "no format version"),
        (None, "no format version"),
        (True, "no format version"),
        (..., "no format version"),
    ],
)
def test_format_versions(refuse, version, told):
    refuse(changed(format_version=version), told)


def test_a_newer_version_is_told_before_anything_else_is_judged(refuse):
    refuse(changed({}, format_version=2, spec={"new": 1}, codec=..., more=1), "newer ocrlstm")


def without(name):
    return {key: value for key, value in WEIGHTS.items() if key != name}


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({}, "lacks the weights Cr_0.W (3, 3, 1, 2)"),
        (without("O_3.W2"), "lacks the weights O_3.W2 (4, 7)"),
        (WEIGHTS | {"O_3.more": np.zeros(2)}, "holds weights its spec does not know: O_3.more"),
        (
            WEIGHTS | {"O_3.W2": np.zeros((4, 8))},
            "weights O_3.W2 are (4, 8), its spec needs (4, 7)",
        ),
        (WEIGHTS | {"O_3.W2": np.zeros((7, 4))}, "weights O_3.W2 are (7, 4)"),
        (WEIGHTS | {"O_3.W2": np.zeros(28)}, "weights O_3.W2 are (28,)"),
        (WEIGHTS | {"O_3.W2": np.zeros((4, 7), np.int32)}, "are I32, not floats"),
        (WEIGHTS | {"O_3.W2": np.zeros((4, 7), bool)}, "are BOOL, not floats"),
        (WEIGHTS | {"Lbx_2.0.WIP": np.array([1, np.nan, 2])}, "not finite"),
        (WEIGHTS | {"Lbx_2.1.WOP": np.array([1, -np.inf, 2])}, "not finite"),
    ],
)
def test_wrong_weights(refuse, weights, told):
    refuse(changed(weights), told)


def test_a_number_too_large_for_float32(refuse):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        refuse(changed(WEIGHTS | {"Lbx_2.1.WOP": np.array([1, 1e300, 2])}), "not finite")


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_weights_of_other_floats_are_read(tmp_path, dtype):
    path = tmp_path / "model.safetensors"
    path.write_bytes(changed({name: w.astype(dtype) for name, w in WEIGHTS.items()}))
    for name, weights in load_model_file(path).network.parameters().items():
        assert weights.dtype == np.float32
        np.testing.assert_array_equal(weights, WEIGHTS[name].astype(dtype).astype(np.float32))


@pytest.mark.parametrize("field", ["spec", "codec", "normalizer", "metadata"])
@pytest.mark.parametrize(
    "value", [..., None, 1, 1e400, "x", [], [1], {}, {"a": 1}, [["", "a"]], True, 10**400]
)
def test_wrong_fields(refuse, tmp_path, field, value):
    if (field, value) in [("metadata", {}), ("metadata", {"a": 1}), ("normalizer", {})]:
        return  # these are right
    refuse(changed(**{field: value}))


@pytest.mark.parametrize(
    "fields",
    [
        {"codec": HEADER["codec"] | {"labels": ["", "a"]}},  # fewer than classes
        {"codec": HEADER["codec"] | {"labels": ["", "a", "a", "b"]}},
        {"codec": HEADER["codec"] | {"labels": ["", "a", "b", 1]}},
        {"codec": HEADER["codec"] | {"labels": {"": 0}}},
        {"codec": HEADER["codec"] | {"unit": []}},
        {"codec": HEADER["codec"] | {"direction": "up"}},
        {"normalizer": HEADER["normalizer"] | {"height": 9}},  # not the network's
        {"normalizer": HEADER["normalizer"] | {"height": 10**9}},
        {"normalizer": HEADER["normalizer"] | {"padding": 10**9}},
        {"normalizer": HEADER["normalizer"] | {"range": 10**400}},
        {"normalizer": HEADER["normalizer"] | {"range": float("nan")}},
        {"normalizer": HEADER["normalizer"] | {"kind": ["center"]}},
        {"spec": "[1,8,0,1 Lbx3 O1c4"},
        {"spec": "[1,8,0,1 Cr3,3,2 Mp2,2 Lbx3 O1c5]"},
        {"spec": "[1,8,0,1 Cr3,3,2 Mp2,2 Lbx4 O1c4]"},
    ],
)
def test_fields_that_do_not_fit(refuse, fields):
    refuse(changed(**fields))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format_version": 1}',
        "[" * 100_000,
        '{"format_version": 1, "metadata": ' + '{"a":' * 100_000,
        "9" * 10_000,
        '{"format_version": ' + "9" * 10_000 + "}",
    ],
    ids=lambda text: text[:20],
)
def test_headers_that_are_no_header(refuse, text):
    message = refuse(save(WEIGHTS, {"ocrlstm": text}))
    assert len(message) < 1000


def raw(header, body=b""):
    """A safetensors file with a header made by hand."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def test_hostile_safetensors_headers(refuse):
    described = {"__metadata__": {"ocrlstm": json.dumps(HEADER)}}
    huge = {"dtype": "F32", "shape": [2**31, 2**31, 2**31], "data_offsets": [0, 4]}
    refuse(raw(described | {"a": huge}, bytes(4)))
    far = {"dtype": "F32", "shape": [1], "data_offsets": [2**62, 2**62 + 4]}
    refuse(raw(described | {"a": far}, bytes(4)))
    overlapping = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
    refuse(raw(described | {"a": overlapping, "b": overlapping}, bytes(4)))
    refuse(raw(b'{"a":' * 10_000))
    refuse((2**63).to_bytes(8, "little") + b"{}")
    refuse(raw(b"\xff\xfe{}"))
    refuse(raw({"__metadata__": {"ocrlstm": 1}}))
    refuse(raw({"__metadata__": [1]}))


@pytest.mark.parametrize(
    "spec",
    [
        "[1,8,0,1 Lbx60000 O1c4]",  # 100 GB of weights
        "[1,8,0,1 Lbx8000 O1c4]",  # 8 GB
        "[1,4096,0,1 Cr1,1,65536 O1c4]",
        "[1,8,0,1 Cr64,64,60000 O1c4]",
        "[1,8,0,1 " + 500_000 * "Do0 " + "O1c4]",
        "[1,8,0,1" + 6 * " Mp1,256" + " O1c4]",
    ],
    ids=lambda spec: spec[:30],
)
def test_a_spec_that_wants_too_much_is_refused_before_anything_is_allocated(refuse, spec):
    content = changed(spec=spec)
    tracemalloc.start()
    try:
        refuse(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000 + 4 * len(content)


def test_nothing_is_run(tmp_path, refuse):
    """A pickle under the name of a model is refused, not loaded."""
    marker = tmp_path / "marker"
    refuse(f"cos\nsystem\n(S'touch {marker}'\ntR.".encode())
    assert not marker.exists()


def test_saving_to_a_full_disk_keeps_the_old_model(tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    save_model(make_model(), path)

    def fail(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    other = make_model()
    for weights in other.network.parameters().values():
        weights[:] = 0
    with pytest.raises(OutputError, match="No space left on device"):
        save_model(other, path)
    assert path.read_bytes() == WHOLE
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root reads all")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(WHOLE)
    path.chmod(0)
    with pytest.raises(ModelFileError, match="cannot be read"):
        load_model_file(path)


class TestTemperature:
    def test_it_comes_back(self, tmp_path):
        model = replace(make_model(), temperature=1.25)
        save_model(model, tmp_path / "a.safetensors")
        again = load_model_file(tmp_path / "a.safetensors")
        assert again.temperature == 1.25
        assert model_bytes(again) == model_bytes(model)

    def test_files_without_it_have_one(self, tmp_path):
        assert "temperature" not in HEADER
        path = tmp_path / "a.safetensors"
        path.write_bytes(WHOLE)
        assert load_model_file(path).temperature == 1.0

    @pytest.mark.parametrize(
        "value",
        [0, -1.0, 0.049, 20.5, 1e308, float("nan"), float("inf"), True, None, "1", [1], {}]
        + [10**400, -(10**400), "x" * 100_000],
    )
    def test_hostile_values(self, refuse, value):
        assert len(refuse(changed(temperature=value), "the temperature is")) < 300


class TestLineModel:
    def test_parts_must_fit(self):
        model = make_model()
        with pytest.raises(ValueError, match="5 labels"):
            LineModel(model.network, Codec(("", *"abcd")), model.normalizer)
        with pytest.raises(ValueError, match="48 high.*8 high"):
            LineModel(model.network, model.codec, LineNormalizer(height=48))

    @pytest.mark.parametrize(
        ("tokens", "width"),
        [("", 1), ("Mp2,2", 2), ("Mp2,2 Mp2,2 ", 4), ("Cl1,4,1", 2), ("Mp1,256 Mp1,256", 65_536)],
    )
    def test_minimum_width(self, tokens, width):
        network = Network(f"[1,8,0,1 {tokens} O1c2]")
        model = LineModel(network, Codec(("", "a")), LineNormalizer(height=8))
        assert model.minimum_width == width
        assert model.frames(width) == 1
        assert model.frames(width - 1) == 0

    @pytest.mark.parametrize(
        ("spec", "told"),
        [
            ("[1,8,99,1 O1c2]", "of any width"),
            ("[1,8,0,3 O1c2]", "grey"),
            ("[1,0,8 O1c2]", "lines are images"),
            ("[1,8,0,1 Lbx2]", "end with an output layer"),
            ("[1,8,0,1 Rtb-1,-1 O1c2]", "several lines of one"),
            ("[1,8,0,1 Lfxs3 O1c2]", "frames all along"),
        ],
    )
    def test_networks_that_read_no_lines(self, spec, told):
        with pytest.raises(ValueError, match=f"does not read lines: .*{told}"):
            LineModel(Network(spec), Codec(("", "a")), LineNormalizer(height=8))

    def test_a_network_that_cannot_be_written_into_a_file(self):
        class Odd(Identity):
            pass

        network = Network(input_shape=(8, None, 1)).add(Odd()).add(Columns()).add(Softmax(2))
        with pytest.raises(ValueError, match="does not read lines: .*cannot write"):
            LineModel(network.build(), Codec(("", "a")), LineNormalizer(height=8))


def normalized_model():
    """A model written in Python, with joins and running statistics."""
    network = Network(input_shape=(8, None, 1))
    for layer in (Convolution(2, 3), BatchNorm(), Shortcut(-3, activation="relu"), Columns()):
        network.add(layer)
    network.add(LSTM(3)).add(Softmax(4)).build(np.random.default_rng(1))
    x = np.random.default_rng(2).random((2, 8, 20, 1), np.float32)
    network.forward(x, np.array([20, 9]), training=True)
    return LineModel(network, Codec(("", " ", "a", "b")), LineNormalizer(height=8))


class TestBuffers:
    def test_they_come_back(self, tmp_path):
        model = normalized_model()
        save_model(model, tmp_path / "a.safetensors")
        again = load_model_file(tmp_path / "a.safetensors")
        assert again.network.buffers().keys() == {"Bn_1.mean", "Bn_1.variance"}
        assert again.network.arrays().keys() == model.network.arrays().keys()
        for name, array in model.network.arrays().items():
            np.testing.assert_array_equal(again.network.arrays()[name], array)
        assert model_bytes(again) == model_bytes(model)
        x = np.random.default_rng(0).random((1, 8, 20, 1)).astype(np.float32)
        results = [m.network.forward(x, np.array([20]))[0].tobytes() for m in (model, again)]
        assert results[0] == results[1]

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"Bn_1.mean": None}, "lacks the weights Bn_1.mean (2,)"),
            ({"Bn_1.mean": np.zeros(3)}, "weights Bn_1.mean are (3,), its spec needs (2,)"),
            ({"Bn_1.variance": np.array([1, np.nan])}, "not finite"),
            ({"Bn_1.more": np.zeros(2)}, "its spec does not know: Bn_1.more"),
        ],
        ids=str,
    )
    def test_files_with_others_are_refused(self, refuse, change, told):
        content = model_bytes(normalized_model())
        arrays = load(content) | change
        arrays = {name: array for name, array in arrays.items() if array is not None}
        refuse(save(arrays, {"ocrlstm": json.dumps(header_of(content))}), told)


class TestTextRules:
    RULES = TextRules(("modern", "guillemets"), (("ä", "ae"), ("¶", "")))

    def test_they_come_back(self, tmp_path):
        model = replace(make_model(), rules=self.RULES)
        save_model(model, tmp_path / "a.safetensors")
        again = load_model_file(tmp_path / "a.safetensors")
        assert again.rules == self.RULES
        assert model_bytes(again) == model_bytes(model)

    def test_files_without_them_have_none(self, tmp_path):
        assert "text_rules" not in HEADER
        path = tmp_path / "a.safetensors"
        path.write_bytes(WHOLE)
        assert load_model_file(path).rules == TextRules()

    @pytest.mark.parametrize(
        ("value", "told"),
        [
            (None, "text rules are a NoneType"),
            ("modern", "text rules are a str"),
            ({}, "text rules have the fields none"),
            ({"names": []}, "text rules have the fields names"),
            ({"x" * 100_000: 1}, "text rules have the fields xxx"),
            ({"names": "modern", "table": []}, "names of text rules are a str"),
            ({"names": ["x" * 100_000], "table": []}, "text rule 'xxx"),
            ({"names": [10**400], "table": []}, "text rule 1000"),
            ({"names": [["modern"]], "table": []}, "text rule ['modern'] is not one of"),
            ({"names": [], "table": "/etc/passwd"}, "text table is a str"),
            ({"names": [], "table": [["a", "b"]] * 100_000}, "100000 entries"),
            ({"names": [], "table": [["a", "b" * 100_000]]}, "100000 characters in one part"),
            ({"names": [], "table": [["a" * 64, "a" * 63 + "b"] * 1]}, None),
            ({"names": [], "table": [["ab" * 32, "ba" * 32], ["a", "c" * 64]]}, "changed again"),
            ({"names": [], "table": [["a", "\ud800"]]}, "lone surrogate"),
            ({"names": [], "table": [["a", {}]]}, "not a pair of strings"),
        ],
        ids=lambda value: str(value)[:30],
    )
    def test_hostile_values(self, refuse, tmp_path, value, told):
        content = changed(text_rules=value)
        if told is not None:
            assert len(refuse(content, "its header is wrong: ")) < 700
            assert told in refuse(content)
        else:
            path = tmp_path / "a.safetensors"
            path.write_bytes(content)
            assert load_model_file(path).rules.apply("a" * 64) == "a" * 63 + "b"

    def test_a_table_cannot_be_slow(self, tmp_path):
        table = [[chr(0x4E00 + n // 40) * (1 + n % 40) + "x", "y" * 64] for n in range(2000)]
        path = tmp_path / "a.safetensors"
        path.write_bytes(changed(text_rules={"names": [], "table": table}))
        begun = time.perf_counter()
        load_model_file(path).rules.apply("\u4e00" * 10_000)
        assert time.perf_counter() - begun < 5
