"""The tables of a store in SQLAlchemy Core, independent of the database engine.

::

    suites <- submissions -> configurations    names -> handovers
               ^       ^                                  |
          results     events  ---------------------> signatures
             |
         sequences

Rows are appended. Times are integer nanoseconds; documents are canonical JSON, compressed by zlib.
"""

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from dlbricks.errors import InputError
from dlbricks.fingerprint import canonical_json, digest_bytes
from dlbricks.store.columns import COLUMNS

STORE_SCHEMA_VERSION = 11
"""Incremented with each change of the tables; ``store.upgrade`` upgrades older stores."""

metadata = MetaData()
"""All tables of a store."""

meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""``format`` and ``schema_version``."""

suites = Table(
    "suites",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("manifest", LargeBinary, nullable=False),
)
"""Registered suites with their manifests."""

waiting = Table(
    "waiting",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("suite", String(64), nullable=False, index=True),
    Column("suite_name", Text, nullable=False),
    Column("system", String(255), nullable=False),
    Column("received_unix_ns", BigInteger, nullable=False),
    Column("document", LargeBinary, nullable=False),
)
"""Results of suites that are not registered; they are not used."""

configurations = Table(
    "configurations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("system", String(255), nullable=False),
    Column("runtime", String(511), nullable=False),
    Column("provider", String(255), nullable=False),
    Column("threads", Integer, nullable=False),
    Column("instruction_set", Text, nullable=False),
    UniqueConstraint("system", "runtime", "provider", "threads", "instruction_set"),
)
"""Configurations whose latencies may be combined. ``instruction_set`` has extensions, and session and provider options
with other than default values as ``key=value``, separated by spaces."""

sequences = Table(
    "sequences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String(64), nullable=False, unique=True),
)
"""Sequences with a result."""

listings = Table(
    "listings",
    metadata,
    Column("suite", ForeignKey("suites.digest"), primary_key=True),
    Column("sequence", ForeignKey("sequences.id"), primary_key=True),
    Column("name", Text, nullable=False),
    Column("operators", Text, nullable=False),
    Column("layers", BigInteger, nullable=False),
    Column("features", Text),
)
"""Labels and features of the sequences of a suite that have a result. ``operators`` has a space before and after each
operator; ``features`` is a JSON object."""

submissions = Table(
    "submissions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("configuration", ForeignKey("configurations.id"), nullable=False, index=True),
    Column("suite", ForeignKey("suites.digest"), nullable=False),
    Column("started_unix_ns", BigInteger, nullable=False),
    Column("received_unix_ns", BigInteger, nullable=False),
    Column("complete", Boolean, nullable=False),
    Column("smoke", Boolean, nullable=False),
    Column("severity", String(16), nullable=False),
    Column("trust", String(32), nullable=False),
    Column("overhead_near_ns", BigInteger, nullable=False),
    Column("overhead_constants_ns", BigInteger, nullable=False),
    Column("overhead_repeated_ns", BigInteger, nullable=False),
    Column("curve", Text, nullable=False),
    Column("brought_in", Text, nullable=False),
    Column("second_level_bytes", BigInteger, nullable=False),
    Column("second_level_byte_ns", Float, nullable=False),
    Column("drift", Float, nullable=False),
    Column("queue", Text),
    Column("results", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""One row per result document. ``body`` is the document, without its suite's manifest if that equals the one in
``suites``; ``curve`` and ``brought_in`` are JSON; ``queue`` is a JSON object (``QueueConstants``), or NULL if the
provider computes on the host."""

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("submission", ForeignKey("submissions.id"), nullable=False, index=True),
    Column("kind", String(32), nullable=False),
    Column("reason", Text, nullable=False),
    Column("recorded_unix_ns", BigInteger, nullable=False),
    Column("until_unix_ns", BigInteger),
    Column("statement", String(64)),
)
"""Events of submissions, oldest first (``SubmissionEvent``); ``statement`` is the digest of the owner's statement, or
NULL for an event by the collector."""

names = Table(
    "names",
    metadata,
    Column("system", String(255), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("since_unix_ns", BigInteger, nullable=False),
)
"""First owner of the name of a system, by the fingerprint of its key."""

handovers = Table(
    "handovers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("system", ForeignKey("names.system"), nullable=False, index=True),
    Column("key", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Column("recorded_unix_ns", BigInteger, nullable=False),
    Column("statement", String(64)),
)
"""Later owners of names, oldest first; the newest one is the owner. ``statement`` as in ``events``."""

signatures = Table(
    "signatures",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("signature", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""Signatures of submissions, waiting results and statements, by digest; ``content`` is the signed file, compressed by
zlib."""

results = Table(
    "results",
    metadata,
    Column("submission", ForeignKey("submissions.id"), primary_key=True),
    Column("sequence", ForeignKey("sequences.id"), primary_key=True),
    *(
        Column(name, String(16) if name == "verdict" else BigInteger, nullable=name == "repeated_ns")
        for name in COLUMNS
        if name not in {"fingerprint", "queue"}
    ),
    Column("queue", Text),
    Index("results_by_sequence", "sequence"),
)
"""One row per sequence of a submission with a latency (``store.columns``), which ``sequence`` identifies."""


def split_document(document: dict[str, Any]) -> tuple[bytes, bytes]:
    """Split a document into its suite's manifest, which many submissions share, and the rest, as canonical JSON."""
    suite = document["suite"]
    rest = {key: value for key, value in suite.items() if key != "manifest"}
    return canonical_json(suite["manifest"]), canonical_json(document | {"suite": rest})


def join_document(body: bytes, manifest: bytes, *, digest: str) -> bytes:
    """Join a document from its parts, as canonical JSON; a body with its own manifest keeps it.

    Raises:
        InputError: the parts do not give the document of this digest.
    """
    try:
        document = json.loads(body)
        document["suite"].setdefault("manifest", json.loads(manifest))
        joined = canonical_json(document)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"the stored data of {digest} is not a document") from error
    if digest_bytes(joined) != digest:
        raise InputError(f"the stored data of {digest} is another document")
    return joined
