"""Code, markup and control sequences in every text that a stranger's file may bring: shown as text, never run."""

import collections
import contextlib
import copy
import functools
import gzip
import html
import json
import pickle
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from dlbricks.errors import DlbricksError
from dlbricks.store.submission import prepare
from tests.robustness.driver import Outcome, called
from tests.robustness.test_hostile import planted

ROOT = Path(__file__).parents[2]
TRACE = ROOT / "tests" / "data" / "kineto_cpu_training.json.gz"
TEXT = (
    "</script></title></style><script>window.broken=1</script><img src=x onerror=broken()>\" onload=broken() x='"
    "{{7*7}}{% import 'os' as o %}{{cycler.__init__.__globals__.os.system('touch RAN')}}${7*7}$\\frac$"
    "\n'''\"\"\"\n__import__('os').system('touch RAN')\n#`touch RAN`$(touch RAN);touch RAN;"
    "\x1b[31mred\x1b]0;title\x07\x9b2J\u202e\u2028"
)
"""What breaks out of pages, templates, Python, shells and terminals where it is taken for more than text."""
STEM = "<img src=x onerror=broken()>{{7*7}};touch RAN;$(touch RAN)$\\frac$"
"""As much of it as the name of a file may be."""
NAME = f"</script>{STEM}\"'`touch RAN`"
"""As much of it as the name of a system may be."""


class _Touch:
    """Leaves a mark where it is unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Give what pickle calls."""
        return eval, ("open('RAN', 'w')",)


def network(text: str) -> bytes:
    """Write a small network with a text in every name, description and property."""
    shape = [1, 3, 16, 16]
    nodes = [
        helper.make_node("Conv", [f"x{text}", f"w{text}"], [f"a{text}"], name=f"c{text}", doc_string=text),
        helper.make_node("Relu", [f"a{text}"], [f"y{text}"], name=f"r{text}", doc_string=text),
    ]
    graph = helper.make_graph(
        nodes,
        f"g{text}",
        [helper.make_tensor_value_info(f"x{text}", onnx.TensorProto.FLOAT, shape, doc_string=text)],
        [helper.make_tensor_value_info(f"y{text}", onnx.TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.ones((8, 3, 3, 3), np.float32), f"w{text}")],
        doc_string=text,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, producer_name=text)
    helper.set_model_props(made, {f"k{text}": text})
    made.doc_string, made.domain = text, text
    return bytes(made.SerializeToString())


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Give the place of every text of a document; of a list that of its first entry."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value[:1]):
            yield from leaves(one, (*path, key))


def put(document: Any, path: tuple[str | int, ...], text: str) -> None:
    """Replace what stands at a place."""
    holder = functools.reduce(lambda value, key: value[key], path[:-1], document)
    holder[path[-1]] = text


def with_texts(document: Any, text: str) -> tuple[Any, int]:
    """Put a text into every place of a result where one is taken, and say into how many."""
    taken = []
    for path in leaves(document):
        tried = copy.deepcopy(document)
        put(tried, path, text)
        with contextlib.suppress(DlbricksError):
            prepare(json.dumps(tried).encode())
            taken.append(path)
    for path in taken:
        put(document, path, text)
    return document, len(taken)


def changed(value: Any, change: Callable[[str], str]) -> Any:
    """Change all texts of a document; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [changed(one, change) for one in value]
    if isinstance(value, dict):
        return {key: changed(one, change) for key, one in value.items()}
    return value


def with_names(recorded: dict[str, Any]) -> dict[str, Any]:
    """Put a text behind every name and argument of operators, and those of processes and threads."""
    for event in recorded["traceEvents"]:
        if event.get("cat") == "cpu_op" or event.get("ph") == "M":
            event["name"] += "" if event["ph"] == "M" else TEXT
            event["args"] = {
                **changed(event.get("args", {}), lambda one: one + TEXT),
                TEXT: TEXT,
            }
    return recorded


def fine(*arguments: str | Path) -> Outcome:
    """Call a verb, which has to do its work, and see that nothing raw was printed and nothing ran."""
    outcome = called(arguments)
    assert outcome.kind == "ok", (arguments, outcome)
    assert not re.search(r"[^\n -~\x85\xa0-\u2027\u202f-\uffff]", outcome.printed + outcome.said), arguments
    assert not Path("RAN").exists(), arguments
    return outcome


class _Elements(HTMLParser):
    """Counts the elements of a page by name and attributes."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.found = collections.Counter[tuple[str, ...]]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element; long values are of another class."""
        self.found[tag, *(name for name, _ in attrs if name != "class")] += 1


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Stand in a folder with a network, two results and a profile full of texts, the same without, and planted code."""
    folder = tmp_path_factory.mktemp("planted")
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setenv("DLBRICKS_STORE", f"sqlite:///{folder / 'texts.sqlite'}")
        network_file = Path(f"{STEM}.onnx")
        network_file.write_bytes(network(TEXT))
        Path("plain.onnx").write_bytes(network("plain"))
        fine("generate", network_file, "-o", "suite", "-H", "1")
        for name in ("one", "two"):
            fine("run", "suite", "--smoke", "-o", f"{name}-plain.json", "--name", name, "--trace", "ML")
            document, count = with_texts(json.loads(Path(f"{name}-plain.json").read_text()), TEXT)
            assert count > 30
            document["system"]["name"] = f"{name}{NAME}"
            Path(f"{name}-texts.json").write_text(json.dumps(document))
        fine("profile", network_file, "--calls", "2", "--no-roofs", "-o", "profile-texts.json")
        profile = json.loads(Path("profile-texts.json").read_bytes())
        plain = changed(profile, lambda one: one.replace(TEXT, "plain").replace(STEM, "plain"))
        Path("profile-plain.json").write_text(json.dumps(plain))
        recorded = with_names(json.loads(gzip.decompress(TRACE.read_bytes())))
        Path("trace-texts.json").write_text(json.dumps(recorded))
        Path("trace-plain.json").write_text(json.dumps(changed(recorded, lambda one: one.replace(TEXT, "plain"))))
        for name in ("plain", "texts"):
            for one in ("one", "two"):
                store = ("--store", f"sqlite:///{folder / name}.sqlite")
                fine("submit", f"{one}-{name}.json", "--suite", "suite", *store)
        assert len(list(planted(folder))) > 15
        for name in ("weights.pkl", "pytorch_model.bin", "suite/weights.pth", "suite/x.pth", "x.pth"):
            Path(name).write_bytes(pickle.dumps(_Touch()) if "x.pth" not in name else b"import os; open('RAN', 'w')\n")
        yield


VERBS: dict[str, list[str]] = {
    "check": ["check", "one-texts.json"],
    "systems": ["systems"],
    "systems-all": ["systems", "--all"],
    "query": ["query"],
    "suites": ["suites"],
    "inspect": ["inspect", f"{STEM}.onnx", "--layers"],
    "estimate": ["estimate", f"{STEM}.onnx", "--system", f"one{NAME}"],
    "compare": ["compare", f"one{NAME}", f"two{NAME}", f"{STEM}.onnx"],
    "coverage": ["coverage", f"{STEM}.onnx", "--system", f"one{NAME}"],
    "plan": ["plan", f"{STEM}.onnx", "--system", f"one{NAME}", "-o", "planned"],
    "analyse": ["analyse", "profile-texts.json"],
    "analyse-trace": ["analyse", "trace-texts.json"],
    "whatif": ["whatif", "profile-texts.json", "--apply", "scale:0.5"],
    "whatif-trace": ["whatif", "trace-texts.json", "--apply", "scale:0.5"],
    "export": ["export", "trace-texts.json", "-o", "exported.json"],
    "export-otlp": ["export", "profile-texts.json", "-o", "exported.jsonl"],
    "repro": [
        "repro",
        f"{STEM}.onnx",
        "--option-b",
        "session.disable_prepacking=1",
        "--budget",
        "2s",
        "-o",
        "piece.pyz",
    ],
}
"""Command lines that read what is full of texts."""


@pytest.mark.parametrize("name", VERBS)
def test_texts_are_printed_as_text(name: str) -> None:
    """Nothing of them reaches the terminal raw, and no code of theirs runs."""
    fine(*VERBS[name])


def test_a_bundle_of_texts_is_asked() -> None:
    """It is written and read as the store is."""
    fine("publish", "texts.sqlite", "-o", "texts.parquet")
    fine("estimate", f"{STEM}.onnx", "--system", f"one{NAME}", "--bundle", "texts.parquet")


def test_a_sequence_is_extracted_without_code_of_its_suite() -> None:
    """What is mailed holds dlbricks' own code, whatever a stranger wrote into the suite's."""
    fingerprint = json.loads(Path("suite/suite.json").read_text())["benchmarks"][0]["fingerprint"]
    fine("extract", "suite", fingerprint, "-o", "one.pyz")
    with zipfile.ZipFile("one.pyz") as packed:
        assert not [name for name in packed.namelist() if b"RAN')." in packed.read(name)]


LIBRARY = """
#include <fcntl.h>
__attribute__((constructor)) static void run(void) { open("RAN", O_CREAT, 0600); }
"""


def test_no_target_of_a_bundle_is_a_library(tmp_path: Path) -> None:
    """What a bundle says of its suites chooses among known targets; a library beside it is not loaded."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no compiler for a library")
    fine("publish", "texts.sqlite", "-o", "named.parquet")
    (tmp_path / "planted.c").write_text(LIBRARY)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "planted.so", tmp_path / "planted.c"], check=True)
    Path("onnxruntime_planted.py").write_text("open('RAN', 'w')\n")
    table = pq.read_table("named.parquet")
    said = json.loads(table.schema.metadata[b"dlbricks"])
    for name in ("onnxruntime-./planted.so", "onnxruntime-planted", "planted.so", "../planted"):
        for one in said["systems"]:
            one["settings"] = [{**how, "target": name} for how in one["settings"]]
        pq.write_table(table.replace_schema_metadata({b"dlbricks": json.dumps(said).encode()}), "named.parquet")
        outcome = called(["estimate", f"{STEM}.onnx", "--system", f"one{NAME}", "--bundle", "named.parquet"])
        assert (outcome.kind, "unknown target" in outcome.reason) == ("refused", True), outcome
        assert not Path("RAN").exists(), name
    assert pa is not None


def test_code_that_a_network_names_is_not_loaded() -> None:
    """Contexts of other providers, operators of Python, libraries of operators, options of sessions, pickles."""
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in "xy")
    context: dict[str, Any] = {
        "ep_cache_context": "planted.so",
        "source": "QNNExecutionProvider",
        "embed_mode": 0,
        "main_context": 1,
    }
    python: dict[str, Any] = {"module": "planted", "class_name": "A", "input_types": [1], "output_types": [1]}
    Path("planted.py").write_text("open('RAN', 'w')\n")
    options = json.dumps({"session_options": {"enable_profiling": 1, "profile_file_prefix": "RAN"}})
    for node in (
        helper.make_node("EPContext", ["x"], ["y"], domain="com.microsoft", **context),
        helper.make_node("PyOp", ["x"], ["y"], domain="pyopmulti_1", **python),
        helper.make_node("PythonOp", ["x"], ["y"], domain="com.microsoft", func_name="os.system"),
        helper.make_node("Relu", ["x"], ["y"]),
    ):
        imports = [helper.make_opsetid("", 17), helper.make_opsetid(node.domain, 1)][: 2 if node.domain else 1]
        made = helper.make_model(helper.make_graph([node], "g", [x], [y]), opset_imports=imports, ir_version=9)
        helper.set_model_props(made, {"ort_config": options, "session.custom_ops_library": "planted.so"})
        Path("code.onnx").write_bytes(made.SerializeToString())
        for arguments in (["inspect", "code.onnx"], ["generate", "code.onnx", "-o", "code-suite"]):
            outcome = called(arguments)
            assert outcome.fine, outcome
            assert not [*Path().glob("RAN*")], (node.op_type, arguments)
    for name in ("code.onnx", "code.npy", "code.pkl", "code.yaml"):
        tagged = b"!!python/object/apply:os.system ['touch RAN']"
        Path(name).write_bytes(tagged if name.endswith("yaml") else pickle.dumps(_Touch()))
        for verb in ("inspect", "check", "analyse", "report"):
            outcome = called([verb, name, *(["-o", "code.html"] if verb == "report" else [])])
            assert outcome.kind == "refused", outcome
            assert not Path("RAN").exists(), (verb, name)


PAGES: dict[str, tuple[str, ...]] = {
    "site": ("site", "{}.sqlite", "-o", "site-{}", "--model"),
    "report": ("report", "profile-{}.json", "trace-{}.json", "one-{}.json", "-o", "{}.html"),
}
"""Command lines, with the kind of their files."""


def elements(page: Path, text: str) -> collections.Counter[tuple[str, ...]]:
    """Give the elements of a page, which has to hold a text."""
    content = page.read_text(encoding="utf-8")
    shown = html.unescape(content) + json.dumps(re.findall(r'id="content">(.*?)</script>', content, re.DOTALL))
    assert text in shown
    return _Elements(content).found


@pytest.mark.parametrize("name", PAGES)
def test_no_element_of_a_page_comes_of_a_text(name: str) -> None:
    """A page of texts has the elements and attributes of one without, and shows the texts as they are."""
    found = []
    for kind, title, model in (("plain", "plain", "plain.onnx"), ("texts", TEXT, f"{STEM}.onnx")):
        command = [part.format(kind) for part in PAGES[name]]
        fine(*command, *([model] if name == "site" else []), "--title", title)
        page = Path(f"site-{kind}/index.html" if name == "site" else f"{kind}.html")
        found.append(elements(page, "{{7*7}}" if kind == "texts" else "plain"))
    assert found[0] == found[1]
    assert sum(found[0].values()) > 20
