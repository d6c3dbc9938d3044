"""The table of bands in the package is what its writer makes."""

from importlib import resources

from bands import table_text

from dlbricks.construct.intervals import BANDS, table


def test_the_table_is_read_as_it_is_written() -> None:
    """The file of the package is what ``table_text`` makes of its content."""
    text = resources.files("dlbricks.construct").joinpath(BANDS).read_text(encoding="utf-8")
    assert table_text(table()) == text
