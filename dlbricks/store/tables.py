"""The tables of a store, in the terms of SQLAlchemy Core: nothing here belongs to one engine.

::

    suites <- submissions -> configurations
                  ^
               results -> sequences

Rows are added and never changed. Times are integer nanoseconds; documents are zlib-compressed canonical JSON.
"""

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

STORE_SCHEMA_VERSION = 1
"""Raised whenever a table changes; a store of a higher version is refused."""

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
"""Every suite that a submission ran; its manifest is kept once for all of them."""

configurations = Table(
    "configurations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("system", String(255), nullable=False),
    Column("runtime", String(511), nullable=False),
    Column("provider", String(255), nullable=False),
    Column("threads", Integer, nullable=False),
    UniqueConstraint("system", "runtime", "provider", "threads"),
)
"""Systems, as far as their latencies may be mixed."""

sequences = Table(
    "sequences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String(64), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("operators", Text, nullable=False),
    Column("layers", BigInteger, nullable=False),
)
"""Sequences that have a result; ``operators`` are separated, begun and ended by one space each."""

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
    Column("severity", String(16), nullable=False),
    Column("trust", String(32), nullable=False),
    Column("call_overhead_ns", BigInteger, nullable=False),
    Column("drift", Float, nullable=False),
    Column("results", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""One row per document; ``body`` is the document without its suite's manifest."""

results = Table(
    "results",
    metadata,
    Column("submission", ForeignKey("submissions.id"), primary_key=True),
    Column("sequence", ForeignKey("sequences.id"), primary_key=True),
    Column("latency_ns", BigInteger, nullable=False),
    Column("low_ns", BigInteger, nullable=False),
    Column("high_ns", BigInteger, nullable=False),
    Column("samples", BigInteger, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
    Index("results_by_sequence", "sequence"),
)
"""One row per sequence of a submission that has a latency."""
