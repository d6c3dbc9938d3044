"""Compiles networks with OpenVINO in a process of its own, which contains its crashes and threads.

``Compiler`` starts ``python -m dlbricks.model.lowering.openvino_compiler``, which answers each line of JSON with
another.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.runtimes.backend import backend
from dlbricks.harness.session import RUNTIME_ERRORS, SessionSettings, check_settings, open_session


class Compiler:
    """A process that compiles, started when the context is entered."""

    def __enter__(self) -> Self:
        """Start the process."""
        pipe = subprocess.PIPE
        command = [sys.executable, "-P", "-m", "dlbricks.model.lowering.openvino_compiler"]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()

    def executed(self, network: Path, weights: Path, *, name: str, threads: int) -> Sequence[Mapping[str, str]]:
        """Return the nodes that OpenVINO executes for a network, in order.

        Args:
            network: file.
            weights: folder of its weight files.
            name: of the network, for messages.
            threads: to compile for.

        Raises:
            UnsupportedModelError: OpenVINO cannot compile the network, or crashes.
            HarnessError: OpenVINO is not installed.
        """
        request = {"network": str(network), "weights": str(weights), "threads": threads}
        replies, asked = self.process.stdout, self.process.stdin
        with contextlib.suppress(BrokenPipeError):  # the missing answer is handled below
            print(json.dumps(request), file=asked, flush=True)
        answer = json.loads((replies.readline() if replies else "") or "{}")
        if "missing" in answer:
            raise HarnessError(answer["missing"], MISSING)
        if "nodes" not in answer:
            said = answer.get("error") or f"it crashed (exit code {self.process.wait()})"
            raise UnsupportedModelError(f"OpenVINO cannot compile {name}: {said}")
        nodes: list[Mapping[str, str]] = answer["nodes"]
        return nodes


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    settings = SessionSettings(runtime="openvino", threads=request["threads"])
    try:
        check_settings(settings)
        session = open_session(Path(request["network"]), Path(request["weights"]), settings)
    except HarnessError as error:
        return {"missing" if error.exit_code == MISSING else "error": str(error)}
    except RUNTIME_ERRORS as error:
        return {"error": str(error)}
    other = backend(settings)
    return {"nodes": other.executed_layers(session.inference.compiled) if other else []}


def main() -> None:
    """Answer requests until standard input closes."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
