"""Record ``tests/data/store_zoo.tar.xz`` anew: ``python -m tests.store.record_zoo``.

The archive holds stores, bundles, result files, a statement and a suite of each readable version, as some version of
the program wrote them. Files of the current versions are written anew; those of older versions stay.
"""

import json
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from dlbricks.files import write_bytes
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.plugins.trust.signing import sign
from dlbricks.plugins.trust.statements import make_statement
from dlbricks.store.bundle import BUNDLE_SCHEMA_VERSION, publish
from dlbricks.store.database import ResultStore
from dlbricks.store.document import SUBMISSION_SCHEMA_VERSION
from dlbricks.store.submission import SubmitOptions, digest_of, submit
from dlbricks.store.tables import STORE_SCHEMA_VERSION
from dlbricks.suite.manifest import from_document, to_document, with_digest
from tests.store.made_up_run import document
from tests.store.stored import configuration, new_key, submission

_ROOT = Path(__file__).parents[2]
ZOO = _ROOT / "tests" / "data" / "store_zoo.tar.xz"
NOW_UNIX_NS = 1_800_000_000 * 10**9
"""Time at which the archive is recorded and read: ages and embargoes follow from it."""


def record(folder: Path) -> None:
    """Write the files of the archive into a folder."""
    smoke = (_ROOT / "tests" / "data" / "submission_smoke.json").read_bytes()
    write_bytes(folder / f"result_v{json.loads(smoke)['schema_version']}_smoke.json", smoke)
    older_suite = from_document(json.loads(smoke)["suite"]["manifest"], "suite")
    suite = with_digest(older_suite)
    results = {}
    for seed, name in enumerate(("quiet", "quiet", "owned", "withdrawn", "embargoed")):
        run = document(of=suite, seed=seed)
        run["system"]["name"] = name
        run["started_unix_ns"] += 86_400 * 10**9 * seed
        for when in ("facts_before", "facts_after"):
            run["system"][when]["unix_ns"] += 86_400 * 10**9 * seed
        results[seed] = json.dumps(run).encode()
    write_bytes(folder / f"result_v{SUBMISSION_SCHEMA_VERSION}_full.json", results[0])
    key = new_key(folder / "key")
    newest = folder / f"store_v{STORE_SCHEMA_VERSION}.sqlite"
    newest.unlink(missing_ok=True)
    with ResultStore.open(str(newest), create=True, hook=TrustHook()) as store:
        store.registry.register(to_document(older_suite))
        store.registry.register(to_document(suite))
        for data in (smoke, results[0], results[3]):
            submit(store, data)
        submit(store, results[1], options=SubmitOptions(provisional=True))
        submit(store, results[2], options=SubmitOptions(signature=sign(results[2], key)))
        store.history.withdraw(digest_of(results[3]), "the fan was off")
        submit(store, results[4], options=SubmitOptions(embargo_unix_ns=NOW_UNIX_NS + 10**18))
        store.history.set_trust(digest_of(results[0]), "challenged", "a challenge held")
        device = submission(range(4), of=configuration("device", provider="cuda"), asynchronous=True)
        store.add(device)
        statement = make_statement(
            says="withdrawn", system="owned", reason="a memory module was broken", result=digest_of(results[2])
        )
        write_bytes(folder / f"statement_of_store_v{STORE_SCHEMA_VERSION}.json", statement)
        write_bytes(folder / f"statement_of_store_v{STORE_SCHEMA_VERSION}.json.sig", sign(statement, key).encode())
        publish(store, folder / f"bundle_v{BUNDLE_SCHEMA_VERSION}.parquet")
    for secret in folder.glob("key*"):
        secret.unlink()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        time.time_ns = lambda: NOW_UNIX_NS
        with tarfile.open(ZOO) as archive:
            archive.extractall(scratch, filter="data")
        record(Path(scratch))
        with tarfile.open(ZOO, "w:xz") as archive:
            for path in sorted(Path(scratch).iterdir()):
                archive.add(path, arcname=path.name)
    sys.stdout.write(f"{ZOO}: {ZOO.stat().st_size} bytes\n")
