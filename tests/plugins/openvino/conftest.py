"""The tiny suite of the harness."""

from tests.harness.conftest import suite

__all__ = ["suite"]
