"""Compiles networks by OpenVINO in a separate process, which isolates crashes, threads and endless loops.

``Compiler`` starts ``python -m dlbricks.plugins.openvino.compiler``, which answers each line of JSON with a line of
JSON. A compilation may use ``limits.OPENING_SECONDS`` of processor time per thread. A process that does not compute for
``IDLE_WALL_SECONDS`` counts as hung.
"""

import contextlib
import json
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from dlbricks import limits
from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.session import SessionSettings, backend, check_settings, open_session, runtime_errors
from dlbricks.model.bounds import activity, allow, enforce_limits
from dlbricks.plugins.openvino.runtime import OtherPrecisionError

# Wall time without computing after which the process counts as hung.
IDLE_WALL_SECONDS = limits.READ_SECONDS
# advice if OpenVINO would compute in bfloat16 or float16, since its hints select this precision
_PORTABLE = (
    "every sequence would convert at both ends, so use --target portable (generate --pairs, validate --rule pairs) and "
    "run with --session-option INFERENCE_PRECISION_HINT=f32"
)


class Compiler:
    """A process that compiles networks inside the ``with`` block."""

    def __init__(self, command: Sequence[str] = ("-m", "dlbricks.plugins.openvino.compiler")) -> None:
        """Store the arguments with which Python is started."""
        self._command = [sys.executable, "-P", *command]
        self._is_hung = False

    def __enter__(self) -> Self:
        """Start the process."""
        # not by `process_pool`: networks are usually lowered in a process of the pool, which starts no further ones
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        return self

    def __exit__(self, *_error: object) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()

    def executed(self, network: Path, weights: Path, *, name: str, threads: int) -> Sequence[Mapping[str, str]]:
        """Return the nodes that OpenVINO executes for a network, in order; errors call the network ``name``.

        Raises:
            UnsupportedModelError: OpenVINO cannot compile the network, computes in another precision than the network
                states, crashes, hangs, or takes too long.
            HarnessError: OpenVINO is not installed.
        """
        request = {"network": str(network), "weights": str(weights), "threads": threads}
        with contextlib.suppress(BrokenPipeError):  # ``_reply`` reports the missing answer
            print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = json.loads(self._reply() or "{}")
        if "missing" in answer:
            raise HarnessError(answer["missing"], MISSING)
        if "precision" in answer:
            raise UnsupportedModelError(f"{name}: {answer['precision']}; {_PORTABLE}")
        if "nodes" not in answer:
            reason = answer.get("error") or self._death(limits.OPENING_SECONDS * threads)
            raise UnsupportedModelError(f"OpenVINO cannot compile {name}: {reason}")
        nodes: list[Mapping[str, str]] = answer["nodes"]
        return nodes

    def _reply(self) -> str:
        # Wait for a line; if the process dies or hangs, end it and return an empty text.
        now = activity(self.process.pid)
        while self.process.stdout and not select.select([self.process.stdout], [], [], IDLE_WALL_SECONDS)[0]:
            before, now = now, activity(self.process.pid)
            if now.idle_since(before):
                self._is_hung = True
                self.process.kill()
        return self.process.stdout.readline() if self.process.stdout else ""

    def _death(self, seconds: int) -> str:
        code = self.process.wait()
        if self._is_hung:
            return f"it neither computed nor answered for {IDLE_WALL_SECONDS} s"
        if -code == signal.SIGXCPU:
            return f"it took more than {seconds} s of processor time"
        return f"it crashed (exit code {code})"


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    settings = SessionSettings(runtime="openvino", threads=request["threads"])
    allow(limits.OPENING_SECONDS * settings.threads)
    try:
        check_settings(settings)
        session = open_session(Path(request["network"]), Path(request["weights"]), settings)
    except OtherPrecisionError as error:
        return {"precision": error.statement}
    except HarnessError as error:
        return {"missing" if error.exit_code == MISSING else "error": str(error)}
    except runtime_errors(settings) as error:
        return {"error": str(error)}
    return {"nodes": backend(settings).executed_layers(session.inference.compiled)}


def main() -> None:
    """Compile the networks that standard input names, until standard input is closed."""
    enforce_limits(lambda _: None)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
