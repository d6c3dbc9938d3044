"""Places and URLs: every one that cannot hold a store is refused in one line."""

import importlib.util
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
    if importlib.util.find_spec("psycopg") is not None:
        pytest.skip("psycopg is installed here")
    with pytest.raises(MissingDependencyError, match="needs the package psycopg: pip install 'psycopg'"):
        ResultStore.open("postgresql+psycopg://host.invalid/name")


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    """A folder is refused with a file to use instead."""
    with pytest.raises(InputError, match=r"is a folder: name a file in it"):
        ResultStore.open(str(tmp_path), create=True)


def test_a_file_in_the_way(tmp_path: Path) -> None:
    """A parent that is a file is refused."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"store .*Not a directory|store .*File exists"):
        ResultStore.open(str(tmp_path / "file" / "store.sqlite"), create=True)


def test_no_database(tmp_path: Path) -> None:
    """A file of another kind is refused and left as it was."""
    place = tmp_path / "notes.txt"
    place.write_text("not a database, only notes\n" * 100)
    with pytest.raises(InputError, match="the file is no SQLite database; name another file"):
        ResultStore.open(str(place), create=True)
    assert place.read_text() == "not a database, only notes\n" * 100
