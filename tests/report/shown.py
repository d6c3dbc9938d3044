"""Validations to be shown."""

from collections.abc import Sequence

from dlbricks.validate.types import Validation
from tests.validate.made_up_validation import validated, validation


def networks(figures: Sequence[tuple[str, int, int]]) -> Validation:
    """Make a validation from names, measured and estimated ns."""
    return validation([validated(name, measured, estimated, parts=["Conv"]) for name, measured, estimated in figures])
