"""Layers of all variants measured alone, in a run of their own, and put to their places in each network."""

import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from whatif_variants import VARIANTS, parts_of, record, variants_of

from dlbricks.construct.cache_model import CacheModel, net_latencies
from dlbricks.construct.compose import compose
from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.types import Composition
from dlbricks.harness.options import RunOptions
from dlbricks.model.lowering.onnxruntime_cpu import TARGET
from dlbricks.settings import SplitSettings
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.suite.benchmarks import anchors
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.writing import merge_benchmarks
from dlbricks.validate.measure import run_benchmarks


def sequences(folder: Path, names: Sequence[str], threads: int, budget_s: float | None) -> None:
    """Measure the layers of all variants alone, keep their results, and say why some have none."""
    variants = VARIANTS if threads == 1 else ("all",)
    known = {name: {key: one for key, one in variants_of(folder, name).items() if key in variants} for name in names}
    parts = {(name, key): parts_of(model) for name, models in known.items() for key, model in models.items()}
    compositions = {key: compose(one) for key, one in parts.items()}
    made = (
        *anchors(),
        *merge_benchmarks(built for one in parts.values() for built in benchmarks_from(one, unions=False)),
    )
    print(f"{len(made)} benchmarks", flush=True)
    options = RunOptions(threads=threads, budget_ns=None if budget_s is None else round(budget_s * 1e9))
    document = run_benchmarks(SplitSettings(target=TARGET), made, options)
    results = measurements(document)
    (folder / f"results-{threads}t.pkl").write_bytes(pickle.dumps((results, compositions)))
    print(f"{document['timing']['wall_ns'] / 1e9:.0f} s, {len(results.measurements)} measured", flush=True)
    missing = Counter(entry["reason"] for entry in document["benchmarks"] if entry["status"] != "ok")
    for reason, count in missing.most_common():
        print(f"{count} without a result: {reason}", flush=True)


def place(folder: Path, threads: int, names: Sequence[str]) -> None:
    """Put the latencies of sequences to their places in every variant, with and without the network's own."""
    results, compositions = pickle.loads((folder / f"results-{threads}t.pkl").read_bytes())  # noqa: S301
    for name in names:
        own = {key: one for key, one in compositions.items() if key[0] == name}
        others = _without(name, compositions, results)
        guesser = fit(others)
        kept = {}
        for (_, variant), composition in own.items():
            stored = _placed(composition, results, None)
            left = _placed(composition, others, guesser)
            row = {"stored_ns": stored, "others_ns": left, "call_overhead_ns": results.call_overhead_ns}
            kept[variant if threads == 1 else "threads2"] = row
        if threads == 1:
            kept["one"] = kept["all"]
        record(name, {"variants": kept})
        print(
            name,
            {
                key: f"{sum(filter(None, row['stored_ns'])) / 1e6:.3f} / "
                f"{sum(filter(None, row['others_ns'])) / 1e6:.3f} ms"
                for key, row in kept.items()
            },
            flush=True,
        )


def _without(name: str, compositions: Mapping[tuple[str, str], Composition], results: SystemResults) -> SystemResults:
    """Leave out all sequences that no other network has."""
    others = {step.fingerprint for (model, _), one in compositions.items() if model != name for step in one.steps}
    features = {step.fingerprint: step.features for one in compositions.values() for step in one.steps if step.features}
    kept = {key: row for key, row in results.measurements.items() if key in others}
    return replace(results, measurements=kept, features={key: features[key] for key in kept if key in features})


def _placed(composition: Composition, results: SystemResults, guesser: Interpolator | None) -> list[int | None]:
    """Give the time of each step at its place; None where it is not known."""
    nets: dict[str, Any] = {key: net_latencies(one, results) for key, one in results.measurements.items()}
    for step in composition.steps:
        if step.fingerprint not in nets and guesser is not None and step.features is not None:
            guess = guesser.predict(step.features)
            if guess is not None:
                nets[step.fingerprint] = guess.net
    times = CacheModel(composition.steps, nets, results).times()
    return [
        time.total_ns if step.free or step.fingerprint in nets else None
        for step, time in zip(composition.steps, times, strict=True)
    ]
