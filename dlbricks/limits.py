"""The most that a file may ask for, whoever made it; looked at before anything is allocated or expanded.

Networks have theirs in ``model.limits``; what is measured has the options of a run instead.
"""

# JSON and TOML
DOCUMENT_BYTES = 64 << 20
"""Of a file; the largest result of a suite has a tenth. Its values take up to thirty times as much."""
CONTAINERS = 8_000_000
"""Lists and objects of one document, each of which takes some 64 bytes of memory and more."""
VALUES = 20_000_000
"""Of one document, by its commas: of lists, objects, texts and numbers."""

# archives, and what else is written by dlbricks
SUITE_BYTES = 512 << 20
"""Of an unpacked suite, whose weights are made where it is run; the largest published one has 12 MiB."""
SUITE_MEMBERS = 200_000
CHALLENGE_BYTES = 256 << 20
"""Of an unpacked challenge, and of an answer."""
PROFILE_BYTES = 256 << 20
BUNDLE_BYTES = 2 << 30
"""Of a file, and of the memory in which it is read."""
BACKTEST_BYTES = 1 << 30

# traces
TRACE_EVENTS = 10_000_000
"""Of any kind; each span takes some 500 bytes while it is analysed."""
TRACE_LANES = 10_000
"""Threads and streams; tables of what ran at the same time grow with their square."""
TRACE_WHOLE_BYTES = 192 << 20
"""Of a trace that is not read in parts, and of a part."""
TRACE_WHOLE_VALUES = 10_000_000
"""Commas and brackets, or texts, of what is read as one: each may become an object of some 100 bytes. Profilers write
one every 14 to 23 bytes."""
TRACE_STREAMS = 1024
"""Of gzip in one file that is not read in parts."""
TRACE_TEXT = 1 << 20
"""Characters of a text that is mended."""
TRACE_DAMAGES = 100
"""Places of one file behind which reading goes on; each costs a walk through all that is before."""
TRACE_BRANCHES = 10_000
"""Tasks that run beside others of their stream."""
CHAKRA_NODES = 300_000
CHAKRA_DEPENDENCIES = 5_000_000
CHAKRA_MESSAGE_BYTES = 1 << 20
