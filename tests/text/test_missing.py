"""Characters that a codec lacks, each told with its place."""

from ocrlstm.text import Codec, describe_missing, find_missing

CODEC = Codec.from_texts(["ab"])


def test_each_character_with_the_first_text_that_has_it():
    found = find_missing(CODEC, [("1", "abz"), ("2", "q\u0303a"), ("3", "zq\u0303y")])
    assert list(found.items()) == [("q\u0303", "2"), ("y", "3"), ("z", "1")]
    assert describe_missing(found) == (
        "'q\u0303' (U+0071 U+0303) in 2, 'y' (U+0079) in 3, 'z' (U+007A) in 1"
    )


def test_texts_are_brought_to_the_normal_form_first():
    codec = Codec.from_texts(["\u00e4"])
    assert find_missing(codec, [("1", "a\u0308")]) == {}


def test_many_are_counted():
    found = find_missing(CODEC, [("1", "cdefghijklmn")])
    assert len(found) == 12
    told = describe_missing(found)
    assert told.count(" in 1") == 10 and told.endswith("'l' (U+006C) in 1 and 2 more")
