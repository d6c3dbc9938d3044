"""Answers a prompt with a decoder in a plain loop over onnxruntime, and sets estimates beside what that takes.

``python benchmarks/decode_loop.py FOLDER --prompt 512 --generate 128`` calls the network as a generator would: the
cache lies in one buffer that is input and output, token after token, one call each. Weights that are missing are made
up and written to FOLDER-filled. With ``--estimate FILE``, what ``dlbricks estimate --prompt --json`` printed, errors
are shown.
"""

import argparse
import json
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper

DATA = "model.onnx.data"
ROUNDS = 5
"""Prompts and answers, each whole; medians of them count."""


def complete(folder: Path) -> Path:
    """Write the network with made-up weights, once; give its path."""
    made = folder.with_name(f"{folder.name}-filled") / "model.onnx"
    if (folder / DATA).exists():
        return folder / "model.onnx"
    if not made.exists():
        made.parent.mkdir(exist_ok=True)
        model = onnx.load(folder / "model.onnx", load_external_data=False)
        random = np.random.default_rng(0)
        with (made.parent / DATA).open("wb") as data:
            for one in model.graph.initializer:
                if one.data_location != onnx.TensorProto.EXTERNAL:
                    continue
                kind, count = helper.tensor_dtype_to_np_dtype(one.data_type), int(np.prod(one.dims))
                scale = 0.002 if "scales" in one.name else 0.02
                values = random.integers(0, 256, count) if kind == np.uint8 else scale * random.standard_normal(count)
                if len(one.dims) == 1 and "norm" in one.name:
                    values = np.ones(count)
                begin = data.seek(-(-data.tell() // 4096) * 4096)
                data.write(values.astype(kind).tobytes())
                del one.external_data[:]
                for key, value in (("location", DATA), ("offset", begin), ("length", data.tell() - begin)):
                    one.external_data.add(key=key, value=str(value))
        made.write_bytes(model.SerializeToString())
    return made


class Loop:
    """A session whose cache lies in one buffer."""

    def __init__(self, path: Path, settings: Mapping[str, Any], *, batch: int, room: int, threads: int) -> None:
        """Open it with room for so many tokens."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        decoder = settings["model"]["decoder"]
        self.batch, self.vocabulary = batch, settings["model"]["vocab_size"]
        shape = (batch, decoder["num_key_value_heads"], room, decoder["head_size"])
        names = [one.name for one in self.session.get_outputs()][1:]
        self.caches = {name: np.zeros(shape, np.float32) for name in names}
        self.kept: list[Any] = []
        self.clock = time.perf_counter_ns

    def call(self, tokens: np.ndarray[Any, np.dtype[np.int64]], past: int) -> int:
        """Call with new tokens behind so many; give the duration in ns, without binding."""
        binding = self.session.io_binding()
        mask = np.ones((self.batch, past + tokens.shape[1]), np.int64)
        logits = np.empty((self.batch, tokens.shape[1], self.vocabulary), np.float32)
        for name, values in (("input_ids", tokens), ("attention_mask", mask)):
            binding.bind_input(name, "cpu", 0, values.dtype, values.shape, values.ctypes.data)
        binding.bind_output("logits", "cpu", 0, logits.dtype, logits.shape, logits.ctypes.data)
        for name, values in self.caches.items():
            before = name.replace("present", "past_key_values")
            binding.bind_input(before, "cpu", 0, values.dtype, values.shape, values.ctypes.data)
            binding.bind_output(name, "cpu", 0, values.dtype, values.shape, values.ctypes.data)
        self.kept = [mask, logits, tokens]
        begin = self.clock()
        self.session.run_with_iobinding(binding)
        return self.clock() - begin

    def answer(self, prompt: int, generate: int) -> list[int]:
        """Answer a prompt; give the duration of each call."""
        took = [self.call(np.ones((self.batch, prompt), np.int64), 0)]
        took += [self.call(np.ones((self.batch, 1), np.int64), prompt + index) for index in range(generate - 1)]
        return took


def figures(rounds: list[list[int]], prompt: int, pasts: list[int]) -> dict[str, Any]:
    """Give medians: first token, steps (each with up to four on both sides), all."""
    steps = {}
    for past in pasts:
        near = range(max(1, past - prompt - 3), min(len(rounds[0]), past - prompt + 6))
        steps[past] = statistics.median(one[index] for one in rounds for index in near)
    return {
        "first_token": statistics.median(one[0] for one in rounds),
        "steps": steps,
        "whole": statistics.median(sum(one) for one in rounds),
    }


def show(found: Mapping[str, Any], estimate: Mapping[str, Any]) -> None:
    """Print estimated beside measured."""
    rows = [("first token", estimate["first_token"], found["first_token"])]
    rows += [(f"past {one['past']}", one["time"], found["steps"][one["past"]]) for one in estimate["steps"]]
    rows.append(("in all", estimate["whole"], found["whole"]))
    for name, time_, truth in rows:
        inside = "inside" if time_["low_ns"] <= truth <= time_["high_ns"] else "outside"
        error = time_["middle_ns"] / truth - 1
        print(f"{name:>12} {time_['middle_ns'] / 1e6:9.3f} ms, measured {truth / 1e6:9.3f} ms, {error:+.1%}, {inside}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--prompt", type=int, default=128)
    parser.add_argument("--generate", type=int, default=64)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--estimate", type=Path)
    parser.add_argument("--thread-time", action="store_true", help="of one thread whose core others use, too")
    given = parser.parse_args()
    settings = json.loads((given.folder / "genai_config.json").read_text(encoding="utf-8"))
    room = given.prompt + given.generate
    loop = Loop(complete(given.folder), settings, batch=given.batch, room=room, threads=given.threads)
    if given.thread_time:
        loop.clock = time.thread_time_ns
    loop.answer(given.prompt, 2)
    rounds = [loop.answer(given.prompt, given.generate) for _ in range(given.rounds)]
    estimate = json.loads(given.estimate.read_text(encoding="utf-8")) if given.estimate else {"steps": []}
    last = given.prompt + max(0, given.generate - 2)
    pasts = [one["past"] for one in estimate["steps"]] or [given.prompt, (given.prompt + last) // 2, last]
    found = figures(rounds, given.prompt, pasts)
    if given.estimate:
        show(found, estimate)
    else:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
