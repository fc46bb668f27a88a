"""Writing atomically: the old file or the new one, never half of one, and nothing left behind."""

import errno
import os
import stat

import pytest

from ocrlstm.errors import OutputError
from ocrlstm.network import write_atomically
from ocrlstm.network.files import remove_leftovers


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"old")
    return path


def test_writes_and_replaces(path):
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    write_atomically(str(path), b"")
    assert path.read_bytes() == b""
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("where", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_no_other(path, monkeypatch, where, error):
    def fail(*arguments):
        raise error

    monkeypatch.setattr(os, where, fail)
    expected = OutputError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as raised:
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(path.parent) == [path.name]
    if expected is OutputError:
        assert str(path) in str(raised.value) and "No space left" in str(raised.value)


def test_a_full_disk_at_the_first_byte(path, monkeypatch):
    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            return False

        def write(self, content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def open_full(name, mode):
        os.close(os.open(name, os.O_CREAT | os.O_EXCL))
        return Full()

    monkeypatch.setattr("builtins.open", open_full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_atomically(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert os.listdir(path.parent) == [path.name]


def test_a_folder_that_is_not_there_or_no_folder(tmp_path, path):
    with pytest.raises(OutputError, match="No such file"):
        write_atomically(tmp_path / "no" / "model", b"new")
    with pytest.raises(OutputError, match="Not a directory"):
        write_atomically(path / "model", b"new")
    with pytest.raises(OutputError, match="directory"):
        write_atomically(tmp_path, b"new")
    assert os.listdir(tmp_path) == [path.name]


def test_long_names(tmp_path):
    name = "ü" * 120 + ".safetensors"  # 252 of the 255 bytes that a name may have
    write_atomically(tmp_path / name, b"new")
    assert os.listdir(tmp_path) == [name]


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_permissions_are_those_of_an_ordinary_file(path):
    mask = os.umask(0o027)
    try:
        write_atomically(path, b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_a_killed_process_left_is_removed_and_nothing_else(path, monkeypatch):
    def killed(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    monkeypatch.setattr("pathlib.Path.unlink", lambda self: None)  # as if it never got there
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"half")
    monkeypatch.undo()
    others = {".model.safetensors.tmp", ".model.safetensors.old.tmp", ".other.0123456789ab.tmp"}
    for name in others:
        (path.parent / name).touch()
    assert len(os.listdir(path.parent)) == 5
    remove_leftovers(path)
    assert set(os.listdir(path.parent)) == {path.name, *others}
