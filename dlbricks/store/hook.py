"""The seam through which a plug-in takes part in the submissions of a store: it verifies signatures, and finds copies.

The store itself keeps who owns a name and who signed what; without a plug-in it accepts no signature, and nothing at
all once a name has an owner.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Table

from dlbricks.store.types import CopiedResult, Signed, SubmissionReceipt

if TYPE_CHECKING:
    from dlbricks.store.database import ResultStore


class StoreHook(Protocol):
    """A plug-in's part in the submissions of a store."""

    @property
    def tables(self) -> Sequence[Table]:
        """Tables of its own, which are created with those of the store."""

    def receive(self, store: "ResultStore", data: bytes, signature: str) -> Signed | SubmissionReceipt | None:
        """Verify the signature of a file (empty for none) before it is read as a result.

        Returns:
            The signed file, or None without a signature; a receipt if the file is the plug-in's own, as a statement is.

        Raises:
            CheckError: the signature is not valid.
        """

    def before_add(self, store: "ResultStore", document: dict[str, Any], replaces: str) -> tuple[CopiedResult, ...]:
        """Return the stored results that a new one was copied from, but for the one that it ``replaces``."""
