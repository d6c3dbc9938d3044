"""What a plug-in does in the submissions of a store, and what a store does without it."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, inspect

from dlbricks.errors import CheckError, MissingDependencyError
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.plugins.trust.signing import sign
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import SubmitOptions, submit
from dlbricks.store.types import CopiedResult, Signed
from tests.store.made_up_run import document, suite
from tests.store.stored import new_key, submission

_SUITE = suite(sequences=2)
_RESULT = json.dumps(document(sequences=2)).encode()


def test_without_a_plug_in_no_signature_counts_and_no_owned_name_is_written(tmp_path: Path) -> None:
    """A result that is not signed is stored; once a name has an owner the store can only be read."""
    place, key = str(tmp_path / "store.sqlite"), new_key(tmp_path / "key")
    signed = SubmitOptions(signature=sign(_RESULT, key))
    with ResultStore.open(place, create=True) as store:
        store.add(submission(range(3)))
        with pytest.raises(MissingDependencyError, match="the file is signed"):
            submit(store, _RESULT, suite=_SUITE, options=signed)
    with ResultStore.open(place, hook=TrustHook()) as store:
        assert submit(store, _RESULT, suite=_SUITE, options=signed).new
    with ResultStore.open(place) as store:
        (other,) = [each for each in store.history.submissions() if each.configuration.system == "lab"]
        for write in (
            lambda: store.add(submission(range(4), started=2)),
            lambda: store.history.withdraw(other.digest, "the fan was off"),
            lambda: submit(store, _RESULT, suite=_SUITE),
        ):
            with pytest.raises(MissingDependencyError, match="keys own system names"):
                write()
        assert len(store.history.submissions()) == 2


class _Counting(TrustHook):
    """A plug-in with a table of its own, which takes every result for a copy."""

    tables = (Table("counted", MetaData(), Column("id", Integer, primary_key=True)),)

    def receive(self, _store: ResultStore, data: bytes, signature: str) -> Signed | None:
        return Signed(key="SHA256:counting", signature=signature, content=data) if signature else None

    def before_add(
        self, _store: ResultStore, _document: dict[str, Any], _exempt: tuple[str, str]
    ) -> tuple[CopiedResult, ...]:
        return (CopiedResult(digest="d" * 64, system="elsewhere"),)


def test_a_plug_in_has_tables_and_refuses_results(tmp_path: Path) -> None:
    """Its tables lie beside those of the store, and what it finds is a violation of the rule on copies."""
    with ResultStore.open(str(tmp_path / "store.sqlite"), create=True, hook=_Counting()) as store:
        with store.database.writing() as connection:
            assert "counted" in inspect(connection).get_table_names()
        with pytest.raises(CheckError, match="DB807 benchmarks: the times have the same distribution as in dddd"):
            submit(store, _RESULT, suite=_SUITE)
