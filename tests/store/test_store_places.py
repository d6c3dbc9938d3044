"""Places and URLs: every one that cannot hold a store is refused in one line."""

from pathlib import Path

import pytest

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.store.database import ResultStore
from dlbricks.store.dialect import default_store_url, parse_url, place_of


@pytest.mark.parametrize(
    ("variables", "url"),
    [
        ({"DLBRICKS_STORE": "postgresql://host/name"}, "postgresql://host/name"),
        ({"XDG_DATA_HOME": "/data"}, "sqlite:////data/dlbricks/store.sqlite"),
        ({"HOME": "/home/me"}, "sqlite:////home/me/.local/share/dlbricks/store.sqlite"),
    ],
)
def test_default_store(variables: dict[str, str], url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names the store, else it lies in the user's data folder."""
    for name in ("DLBRICKS_STORE", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert default_store_url() == url


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql://host/name", "a store cannot live in mysql: use one of postgresql, sqlite"),
        ("://", "'://' is no store"),
        ("sqlite:///x?y=[", "is no store|there is no store"),
    ],
)
def test_bad_urls(text: str, said: str) -> None:
    """What is no URL, or the URL of an engine that is not known, is refused."""
    with pytest.raises(InputError, match=said):
        ResultStore.open(text)


def test_passwords_are_not_shown() -> None:
    """Messages name the place without its password."""
    assert place_of(parse_url("postgresql://me:secret@host/name")) == "postgresql://me:***@host/name"


def test_a_missing_driver_is_named() -> None:
    """An engine whose package is not installed says which to install."""
    with pytest.raises(MissingDependencyError, match="needs the package psycopg: pip install 'psycopg'"):
        ResultStore.open("postgresql+pg8000://host.invalid/name")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("folder", "is a folder: name a file in it"),
        ("notes.txt/store.sqlite", "store .*Not a directory|store .*File exists"),
        ("notes.txt", "the file is no SQLite database; name another file"),
    ],
)
def test_what_is_in_the_way_is_left_as_it_was(tmp_path: Path, name: str, said: str) -> None:
    """A folder, a file of another kind, and a parent that is a file are refused."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("not a database, only notes\n" * 100)
    with pytest.raises(InputError, match=said):
        ResultStore.open(str(tmp_path / name), create=True)
    assert (tmp_path / "notes.txt").read_text() == "not a database, only notes\n" * 100
