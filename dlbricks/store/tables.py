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

STORE_SCHEMA_VERSION = 5
"""Raised whenever a table changes; a store of another version is refused, unless ``DROPPED`` says how to get here."""

DROPPED = {
    4: {"submissions": ("overhead_outputs_ns", "overhead_inputs_ns"), "results": ("outputs_ns", "inputs_ns")},
}
"""Columns by table that an older version has and this one does not. Such a store is read as it is, and brought to this
version when something is added."""

ADDED = {4: {"submissions": ("queue",), "results": ("queue",)}}
"""Columns of nullable text that this version has and an older one does not; there they are read as empty."""

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
"""Every suite that a submission ran, with its manifest."""

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
"""Systems, as far as their latencies may be mixed; extensions of the instruction set are separated by a space."""

sequences = Table(
    "sequences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String(64), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("operators", Text, nullable=False),
    Column("layers", BigInteger, nullable=False),
    Column("features", Text, nullable=False),
)
"""Sequences that have a result; ``operators`` are separated, begun and ended by one space each, ``features`` are a JSON
object without them."""

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
"""One row per document; ``body`` is the document without its suite's manifest, ``curve`` and ``brought_in`` are lists,
``queue`` is a JSON object (``QueueConstants``), or nothing where the provider computes on the host."""

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
