"""Time and size of the pages of a large store: `python benchmarks/site.py [SYSTEMS [SEQUENCES]]`, in a browser too."""

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from dlbricks.plugins.site.pages import INDEX, save_site
from dlbricks.store.database import ResultStore
from tests.report.browser import browsing, opened, until
from tests.store.stored import configuration, submission


def main() -> None:
    """Fill a store, write its pages, open them."""
    systems, sequences = (int(text) for text in (*sys.argv[1:], "100", "1000")[:2])
    with tempfile.TemporaryDirectory() as folder, ResultStore.open(f"{folder}/store", create=True) as store:
        for number in range(systems):
            version = ("1.29.0", "1.30.0", "1.31.1")[number % 3]
            of = configuration(f"system-{number // 3}")
            latency = 90_000 + 137 * number
            store.add(
                submission(
                    range(sequences),
                    latency_ns=latency,
                    of=replace(of, runtime=f"onnxruntime {version}"),
                    started=10**18 + number,
                )
            )
        begin, work = time.perf_counter(), time.process_time()
        made = save_site(Path(folder) / "site", store, [], title="many", now_unix_ns=time.time_ns(), raw=False)
        print(
            f"{made}, built in {time.perf_counter() - begin:.1f} s, {time.process_time() - work:.1f} s of a processor"
        )
        for browser in browsing(Path(folder) / "browser"):
            opened(browser, Path(folder) / "site" / INDEX)
            until(browser, "document.documentElement.dataset.ready")
            drawn = "Math.max(...performance.getEntriesByType('paint').map(one => one.startTime))"
            until(browser, "performance.getEntriesByType('paint').length")
            print(f"first drawing {browser.execute_script(f'return {drawn}'):.0f} ms after the start, ", end="")
            print(f"script done after {browser.execute_script('return document.documentElement.dataset.ready')} ms")


if __name__ == "__main__":
    main()
