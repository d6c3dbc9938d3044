"""Why benchmarks have no latency in the results of a system."""

import json
from collections.abc import Collection, Iterable
from itertools import islice

_MOST = 16
"""Results looked through, each of which may take some tens of milliseconds."""


def failures(documents: Iterable[bytes], fingerprints: Collection[str]) -> dict[str, str]:
    """Return for each sequence why its benchmark has no latency, as the first result says that holds it.

    Args:
        documents: documents that were checked, as text, the best one first.
        fingerprints: of the sequences to look for; those that no result names are left out.
    """
    found: dict[str, str] = {}
    for document in islice(documents, _MOST):
        for entry in json.loads(document)["benchmarks"]:
            fingerprint, status = entry["fingerprint"], entry["status"]
            if fingerprint in fingerprints and status != "ok":
                found.setdefault(
                    fingerprint, f"its benchmark {'was ' if status == 'not run' else ''}{status}: {entry['reason']}"
                )
        if len(found) == len(fingerprints):
            break
    return found
