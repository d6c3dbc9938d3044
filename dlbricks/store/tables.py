"""The tables of a store, in the terms of SQLAlchemy Core: nothing here belongs to one engine.

::

    suites <- submissions -> configurations    names -> handovers
               ^       ^                                  |
          results     events  ---------------------> signatures
             |
         sequences

Rows are added and never changed. Times are integer nanoseconds; documents are zlib-compressed canonical JSON.
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

STORE_SCHEMA_VERSION = 10
"""Raised whenever a table changes; ``store.upgrade`` brings older stores here, others are refused."""

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
"""The registry: suites that results are held against, with their manifests."""

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
"""Documents of suites that nobody has registered; no answer rests on them."""

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
"""Systems, as far as their latencies may be mixed. ``instruction_set`` holds extensions, and options of session and
provider that are not the usual ones as ``key=value``, separated by spaces."""

sequences = Table(
    "sequences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String(64), nullable=False, unique=True),
)
"""Sequences that have a result."""

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
"""What a suite says of its sequences that have a result, one row for each result's sequence at least; ``operators`` are
separated, begun and ended by one space each, ``features`` are a JSON object."""

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
"""One row per document; ``body`` is the document, without its suite's manifest where that is written as in ``suites``;
``curve`` and ``brought_in`` are lists, ``queue`` is a JSON object (``QueueConstants``), or nothing where the provider
computes on the host."""

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
"""What was said of submissions since they came, oldest first (``SubmissionEvent``); ``statement`` is the digest of the
owner's signed words, nothing where the collector said it."""

names = Table(
    "names",
    metadata,
    Column("system", String(255), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("since_unix_ns", BigInteger, nullable=False),
)
"""Systems whose name belongs to a key, by its fingerprint: the first that signed a result of the name."""

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
"""Names that passed to another key, oldest first: the newest one owns the name. ``statement`` as in ``events``."""

signatures = Table(
    "signatures",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("signature", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""Signatures of documents, of submissions, waiting ones and statements, by their digest; ``content`` is the file as it
was signed, compressed by zlib."""

results = Table(
    "results",
    metadata,
    Column("submission", ForeignKey("submissions.id"), primary_key=True),
    Column("sequence", ForeignKey("sequences.id"), primary_key=True),
    Column("near_ns", BigInteger, nullable=False),
    Column("constants_ns", BigInteger, nullable=False),
    Column("latency_ns", BigInteger, nullable=False),
    Column("low_ns", BigInteger, nullable=False),
    Column("high_ns", BigInteger, nullable=False),
    Column("samples", BigInteger, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
    Column("queue", Text),
    Index("results_by_sequence", "sequence"),
)
"""One row per sequence of a submission that has a latency; ``queue`` is a JSON object (``QueueTimes``) or nothing."""


def split_document(document: dict[str, Any]) -> tuple[bytes, bytes]:
    """Take the suite's manifest out of a document: many submissions share it. Both as canonical JSON."""
    suite = document["suite"]
    rest = {key: value for key, value in suite.items() if key != "manifest"}
    return canonical_json(suite["manifest"]), canonical_json(document | {"suite": rest})


def join_document(body: bytes, manifest: bytes, *, digest: str) -> bytes:
    """Put a document together again, as canonical JSON; a body that has a manifest of its own keeps it.

    Raises:
        InputError: the parts do not give the document that ``digest`` names.
    """
    try:
        document = json.loads(body)
        document["suite"].setdefault("manifest", json.loads(manifest))
        joined = canonical_json(document)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"what is stored of {digest} is no document") from error
    if digest_bytes(joined) != digest:
        raise InputError(f"what is stored of {digest} is another document")
    return joined
