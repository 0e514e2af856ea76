import os

import pytest

from tauscope.results.files import replacing


def test_what_is_written_takes_the_place(tmp_path):
    path = tmp_path / "one.csv"
    for text in ("first", "second"):
        with replacing(path) as beside:
            assert beside.suffix == ".csv"
            beside.write_text(text, "utf-8")
        assert path.read_text("utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_file_that_was_there(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("old", "utf-8")

    def write():
        with replacing(path) as beside:
            beside.write_text("half", "utf-8")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write()
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_rights_and_links_stay(tmp_path):
    path, link = tmp_path / "one.csv", tmp_path / "link.csv"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    with replacing(link) as beside:
        beside.write_text("new", "utf-8")
    assert link.is_symlink()
    assert (path.read_text("utf-8"), path.stat().st_mode & 0o777) == ("new", 0o640)


def test_what_is_no_file_is_written_as_it_is():
    with replacing(os.devnull) as beside:
        assert str(beside) == os.devnull
