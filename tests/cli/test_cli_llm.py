"""``estimate --prompt`` and suites of several lengths: what is refused, and in what words."""

import functools
import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given
from hypothesis import strategies as st

from dlbricks.cli.app import main
from dlbricks.cli.splitting import parse_grid
from dlbricks.errors import InputError
from dlbricks.model.read import skim
from dlbricks.plugins.llm.lengths import usable_points
from dlbricks.plugins.llm.loops import InterleavedLoop
from dlbricks.plugins.llm.options import PromptSpan, dims_of, parse_sweep, points_for
from dlbricks.suite.manifest import read_suite
from tests.cli.invoking import Run
from tests.decoders import (
    ROOM,
    STEP_FORMS,
    with_new_tokens,
    with_unknown_operator,
    without_data,
    write_cache_form,
    write_decoder,
    write_export,
    write_fused,
    write_step,
)
from tests.store.made_up_run import document

NETWORK = str(Path(__file__).parents[2] / "suites/networks/misc_lstm_lm.onnx")
LOOP = ("--dim", "past=0,8", "--dim", "sequence=1,8", "--prompt", "6", "--generate", "4")
VERBS = ("estimate", "validate", "plan", "generate")
PROMPT = ("--system", "here", "--prompt", "8")


@pytest.fixture
def dlbricks(dlbricks: Run) -> Run:
    """Run commands in this process; the verbs that ``dlbricks llm`` has are those of it."""

    def run(*arguments: str, code: int = 0) -> Result:
        llm = ("llm",) if arguments[0] in VERBS else ()
        # results of these tests are of another release of the runtime than the one that would lower the decoders
        portable = ("--target", "portable") if arguments[0] == "generate" and "--target" not in arguments else ()
        return dlbricks(*llm, *arguments, *portable, code=code)

    return run


def test_verbs_of_every_network_take_decoders_at_given_lengths(tmp_path: Path) -> None:
    """They say where prompts are; options of prompts are those of ``dlbricks llm`` alone."""
    folder = str(write_decoder(tmp_path / "decoder", int4=True))
    invoke = functools.partial(CliRunner().invoke, main)
    for options in (("--prompt", "8"), ("--chunk", "2"), ("--weights", "int8")):
        for verb in VERBS:
            result = invoke([verb, folder, *options])
            assert (result.exit_code, f"No such option '{options[0]}'" in result.stderr) == (2, True)
    suite = str(tmp_path / "s")
    result = invoke(["generate", folder, "--dim", "past=8", "--target", "portable", "-o", suite])
    assert (result.exit_code, "use 'dlbricks llm generate --prompt'" in result.stderr) == (0, True)
    assert invoke(["submit", as_measured(Path(suite)), "--suite", suite]).exit_code == 0
    result = invoke(["estimate", folder, "--system", "box", "--dim", "past=8"])
    assert (result.exit_code, "use 'dlbricks llm estimate --prompt'" in result.stderr) == (0, True)


def test_extents_make_each_combination() -> None:
    """Each with each; one of each is one point, and none is one without any."""
    made = parse_grid(["past=0,512", "sequence=1,8", "batch=2"])
    assert made[0] == {"past": 0, "sequence": 1, "batch": 2}
    assert len(made) == 4
    assert parse_grid([]) == ({},)
    for texts, said in (
        (["past=1,1"], "has an extent twice"),
        (["past=1,"], "a whole number from 0 up"),
        (["n=4,0"], "a whole number from 1 up"),
        (["a=" + ",".join(map(str, range(1, 66)))], "65 combinations: a suite has at most 64"),
        (["past:sequence=0:8,1"], "give an extent for each name"),
        (["past:sequence=0:8,0:8"], "has an extent twice"),
        (["past:sequence=0:8", "past=1"], "set it either alone or together with others"),
    ):
        with pytest.raises(InputError, match=said):
            parse_grid(texts)


def test_extents_may_belong_together() -> None:
    """They are one point, and combine with others; a name with a colon of its own stays one."""
    step, prompt = {"past": 1, "sequence": 1}, {"past": 0, "sequence": 8}
    wanted = tuple({**point, "batch": batch} for point in (step, prompt) for batch in (1, 2))
    assert parse_grid(["past:sequence=1:1,0:8", "batch=1,2"]) == wanted
    assert parse_grid(["x:0=3"]) == ({"x:0": 3},)


@example(1, 1, 2, 2)
@given(
    st.integers(1, 64),
    st.integers(1, 64),
    st.integers(1, 64),
    st.none() | st.integers(2, 64),
)
def test_printed_lengths_are_those_that_were_chosen(first: int, more: int, generate: int, chunk: int | None) -> None:
    """As options they give these points again, but for calls that tell nothing of others and are not measured."""
    last = first * more if not chunk else chunk * more
    prompts = PromptSpan(first=min(first, last), last=last, generate=generate, chunk=chunk)
    chosen = points_for(prompts)
    printed = shlex.split(dims_of(chosen))
    again = parse_grid([text for text in printed if text != "--dim"])
    partial = chunk if chunk and chunk < last else None
    assert sorted(usable_points(again, partial), key=str) == sorted(map(dict, chosen), key=str)


def test_a_sweep_doubles_up_to_its_end() -> None:
    """The end is among them, once; prompts and answers are swept alike."""
    assert parse_sweep("prompt=128..1000", None, 7) == ((128, 7), (256, 7), (512, 7), (1000, 7))
    assert parse_sweep("generate=1..4", 9, 1) == ((9, 1), (9, 2), (9, 4))
    assert parse_sweep("prompt=5..5", None, 1) == ((5, 1),)


def test_pieces_that_do_not_depend_on_a_length_appear_once(dlbricks: Run, tmp_path: Path) -> None:
    """Attention and the sum of the mask are made for each past, all else once."""
    folder = str(write_decoder(tmp_path / "decoder", int4=True))
    counts = []
    for past in ("8", "8,32,64"):
        dlbricks("generate", folder, "--dim", f"past={past}", "-o", str(tmp_path / past))
        counts.append(len(list((tmp_path / past / "networks").iterdir())))
    assert counts[1] == counts[0] + 4


def test_a_decoder_of_several_tokens_per_call_reads_prompts(dlbricks: Run, tmp_path: Path) -> None:
    """As many of its calls as divide them; steps, other prompts and loops are one line."""
    path = str(with_new_tokens(write_export(tmp_path / "decoder" / "model.onnx", "flat"), 4))
    suite, first = str(tmp_path / "s"), ("--generate", "1")
    dlbricks("generate", path, "--prompt", "8..16", *first, "-o", suite)
    dlbricks("submit", as_measured(Path(suite)), "--suite", suite)
    where = ("estimate", path, "--system", "box")
    made = json.loads(dlbricks(*where, "--prompt", "12", "--json").stdout)
    assert (made["chunk"], made["steps"]) == (4, [])
    assert made["first_token"]["middle_ns"] > 0
    for command, said in (
        (
            (*where, "--prompt", "14"),
            "takes 4 new tokens per call, which does not divide a prompt of 14: use 16 tokens",
        ),
        ((*where, "--prompt", "12", "--generate", "3"), "takes 4 new tokens per call, not 1: give --generate 1"),
        (("generate", path, "--prompt", "3", *first, "-o", suite), "does not divide a prompt of 3: use 4 tokens"),
        (("validate", path, "--prompt", "12", *first), "so it cannot generate"),
    ):
        assert said in dlbricks(*command, code=2).stderr


def test_lengths_share_weights_in_any_number_of_processes(dlbricks: Run, tmp_path: Path) -> None:
    """One after the other or at once, lengths give the same suite."""
    folder = str(write_decoder(tmp_path / "decoder", int4=True))
    asked = ("--dim", "past=8,32,64", "--target", "onnxruntime-cpu")
    for jobs in ("1", "2"):
        dlbricks("generate", folder, *asked, "--jobs", jobs, "-o", str(tmp_path / jobs))
    assert (tmp_path / "1" / "suite.json").read_bytes() == (tmp_path / "2" / "suite.json").read_bytes()


def test_what_cannot_be_answered_is_one_line(dlbricks: Run, tmp_path: Path) -> None:
    """No decoder, no lengths, lengths without a prompt."""
    folder = str(write_decoder(tmp_path / "decoder"))
    for arguments, said in (
        ((NETWORK, *PROMPT), "--prompt needs a decoder with a cache"),
        ((folder, NETWORK, *PROMPT), "--prompt needs exactly one decoder, not 2 networks: name one file"),
        ((folder, *PROMPT, "--dim", "sequence=1,8"), "--prompt needs the measured lengths"),
        (
            (folder, "--system", "here", "--dim", "past=1,2"),
            "use 'llm estimate --prompt' for whole prompts",
        ),
        (
            (folder, "--system", "here", "--sweep", "prompt=9..8"),
            "expected A of at least 1, and B of at least A",
        ),
        ((folder, "--system", "here", "--sweep", "batch=1..8"), "expected prompt=A..B or generate=A..B"),
        ((folder, "--system", "here", "--sweep", "generate=1..8"), "--sweep generate=A..B needs --prompt N"),
        ((folder, *PROMPT, "--sweep", "prompt=8..16"), "cannot use both --prompt and --sweep prompt=A..B"),
        ((folder, "--system", "here", "--sweep", "prompt=٨..9"), "expected prompt=A..B"),
        ((folder, *PROMPT, "--chunk", "3"), "--chunk 3 does not divide a prompt of 8: use 6 tokens"),
        (
            (folder, *PROMPT, "--dim", "past=0,8", "--dim", "batch=1,2"),
            "has a single batch size: add --batch N",
        ),
    ):
        assert said in dlbricks("estimate", *arguments, code=2).stderr
    for verb, *where in (("generate",), ("plan", "--system", "here")):
        out = ("-o", str(tmp_path / "out"), *where)
        assert "lacks an input for tokens" in dlbricks(verb, NETWORK, *PROMPT[-2:], *out, code=2).stderr
    assert not (tmp_path / "out").exists()


def test_with_a_store_a_decoder_that_cannot_be_estimated_is_one_line(dlbricks: Run, tmp_path: Path) -> None:
    """An operator that nobody knows, data that lack, a prompt beyond the context.

    A sound decoder is no invalid network for the operators of the runtime.
    """
    folder = write_decoder(tmp_path / "decoder", int4=True)
    assert "no valid ONNX" not in dlbricks("inspect", str(folder), "--dim", "past=8").stderr
    generated(dlbricks, tmp_path, ("--prompt", "8", "--generate", "2"))
    with_unknown_operator(folder)
    arguments = (str(folder), "--dim", "past=0,9", "--dim", "sequence=1,8", "--prompt", "8", "--generate", "2")
    for command in (("validate", *arguments), ("estimate", *arguments, "--system", "box")):
        said = dlbricks(*command, code=2).stderr.strip().splitlines()[-1]
        assert "com.microsoft.BestAttention is an operator of a custom domain" in said
    shapeless, sound = (write_decoder(tmp_path / name, int4=True) for name in ("shapeless", "sound"))
    estimated = ("estimate", str(without_data(shapeless)), *arguments[1:], "--system", "box")
    assert "lie in model.onnx.data, which is missing" in dlbricks(*estimated, code=2).stderr
    beyond = (str(sound), "--prompt", "9000", "--generate", "2", "--system", "box")
    for command in (("plan", *beyond, "-o", str(tmp_path / "p")), ("estimate", *beyond, *arguments[1:5])):
        assert "exceed its context of 8192 tokens: reduce" in dlbricks(*command, code=2).stderr


def test_a_folder_that_lacks_its_data_is_one_line(dlbricks: Run, tmp_path: Path) -> None:
    """One without its network, and one whose shapes lie in data that is missing; nothing is written."""
    without_network, shapeless = (
        write_decoder(tmp_path / "settings"),
        without_data(write_decoder(tmp_path / "shapeless", int4=True)),
    )
    (without_network / "model.onnx").unlink()
    asked, dims = ("--prompt", "8", "--generate", "2"), ("--dim", "past=0,9", "--dim", "sequence=1,8")
    for folder, reason in (
        (without_network, "without its network: copy the whole folder"),
        (shapeless, "lie in model.onnx.data"),
    ):
        for verb, *options in (
            ("generate", *asked, "-o", str(tmp_path / "suite")),
            ("validate", *dims, *asked),
        ):
            said = dlbricks(verb, str(folder), *options, code=2).stderr.strip().splitlines()
            assert reason in said[-1]
            assert [line.startswith("error: ") for line in said].count(True) == 1
    assert not (tmp_path / "suite").exists()


def test_a_prompt_beyond_the_context_is_one_line(dlbricks: Run, tmp_path: Path) -> None:
    """Of every verb that takes one; nothing is written."""
    folder = str(write_decoder(tmp_path / "decoder"))
    asked, dims = ("--prompt", "9000", "--generate", "2"), ("--dim", "past=0,8000", "--dim", "sequence=1,8000")
    for verb, *options in (
        ("generate", *asked, "-o", str(tmp_path / "suite")),
        ("validate", *dims, *asked),
    ):
        (said,) = dlbricks(verb, folder, *options, code=2).stderr.strip().splitlines()[-1:]
        assert "exceed its context of 8192 tokens: reduce" in said
    assert not (tmp_path / "suite").exists()


def test_what_no_loop_can_answer_is_one_line(dlbricks: Run, tmp_path: Path) -> None:
    """Nothing is measured."""
    folder = str(write_decoder(tmp_path / "decoder"))
    for arguments, said in (
        ((NETWORK, "--prompt", "6"), "--prompt needs a decoder with a cache"),
        ((folder, "--prompt", "6", "--dim", "sequence=1,8"), "--prompt needs lengths to measure"),
        ((folder, "--dim", "past=0,8"), "use 'llm validate --prompt' for whole prompts"),
        ((folder, *LOOP, "--keep", "runs"), "cannot use both --keep and --prompt"),
        ((folder, *LOOP, "--target", "openvino"), "--prompt works with --target portable and onnxruntime-cpu"),
        ((folder, *LOOP, "--provider", "cuda", "--target", "onnxruntime-cpu"), "portable and onnxruntime-cuda on"),
        ((folder, *LOOP, "--provider", "rocm"), "--prompt needs onnxruntime with --provider cpu or cuda"),
        ((folder, *LOOP[:-3], "99"), "sequence=99 is more than twice or less than half a measured length"),
        ((folder, *LOOP[:-3], "9000", "--extrapolate"), "exceed its context"),
        ((folder, NETWORK, *LOOP), "--prompt needs "),
    ):
        assert said in dlbricks("validate", *arguments, code=2).stderr


def test_an_interrupted_run_advises_nothing_that_is_gone(dlbricks: Run, tmp_path: Path) -> None:
    """Its file is a temporary one; with -o nothing is written either."""
    folder, out = write_decoder(tmp_path / "decoder", int4=True), tmp_path / "o.json"
    asked = ("--prompt", "6", "--generate", "3", "--smoke", "-o", str(out))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InterleavedLoop, "between", interrupt)
        said = dlbricks("validate", str(folder), *asked, code=130).stderr.strip().splitlines()
    assert said[-1] == "error: interrupted; nothing was saved"
    assert not out.exists()
    made = json.loads(dlbricks("validate", str(folder), *asked, "--json").stdout)
    assert [(one["past"], one["sequence"]) for one in made["points"]] == [(1, 1), (8, 1), (0, 6)]


def interrupt(_turns: InterleavedLoop) -> int:
    """Do what the terminal does at Ctrl-C."""
    signal.raise_signal(signal.SIGINT)
    return 0


def test_lengths_are_chosen_for_prompts(dlbricks: Run, tmp_path: Path) -> None:
    """Three points, four where prompts differ; what they miss in a store is planned, and its commands answer."""
    assert points_for(PromptSpan(first=8, last=8, generate=16)) == (
        {"past": 1, "sequence": 1}, {"past": 23, "sequence": 1}, {"past": 0, "sequence": 8}
    )  # fmt: skip
    assert points_for(PromptSpan(first=1, last=1, generate=4)) == (
        {"past": 1, "sequence": 1}, {"past": 4, "sequence": 1}, {"past": 0, "sequence": 1}
    )  # fmt: skip
    assert points_for(PromptSpan(first=8, last=8, generate=1)) == ({"past": 0, "sequence": 8},)
    chunked = PromptSpan(first=12, last=12, generate=1, chunk=3)
    chunks = [[one["past"] for one in points_for(chunked, apart=apart)] for apart in (False, True)]
    assert chunks == [[0, 9], [0, 3, 9]]
    assert [one["sequence"] for one in points_for(PromptSpan(first=8, last=9, generate=16))] == [1, 1, 8, 9]
    folder = str(write_decoder(tmp_path / "decoder", int4=True))
    suite, result = str(tmp_path / "s"), str(tmp_path / "r.json")
    said = dlbricks("generate", folder, "--prompt", "8", "--generate", "16", "-o", suite).stderr
    assert "--dim past=0,1,23 --dim sequence=1,8" in said
    dlbricks("run", suite, "-o", result, "--smoke", "--name", "box")
    dlbricks("submit", result, "--suite", suite)
    dims = ("--dim", "past=0,1,23", "--dim", "sequence=1,8")
    dlbricks("estimate", folder, "--system", "box", *dims, "--prompt", "8", "--generate", "16")
    again = ("plan", folder, "--system", "box", "-o", str(tmp_path / "p"))
    assert json.loads(dlbricks(*again, "--prompt", "8", "--generate", "16", "--json").stdout)["suite"] is None
    more = json.loads(dlbricks(*again, "--prompt", "8..32", "--generate", "16", "--json").stdout)
    assert " --sweep prompt=8..32 --generate 16 " in more["commands"][-1]
    said = dlbricks(*again, "--prompt", "8", "--dim", "past=1", code=2).stderr
    assert "--prompt and --dim past both set lengths" in said
    assert "expected a number of tokens or a range" in dlbricks(*again, "--prompt", "8..4", code=2).stderr


def as_measured(suite: Path, each_ns: int = 200_000) -> str:
    """Write a result of a suite, each of whose calls took as long; give its file, beside the suite."""
    of, result = read_suite(suite), suite.with_name(f"{suite.name}.json")
    made = document(of=of, base_ns=lambda _benchmark, _position: each_ns)
    manifest = json.loads((suite / "suite.json").read_text(encoding="utf-8"))
    made["suite"] |= {"digest": of.digest, "manifest": manifest}
    made["system"]["name"] = "box"
    result.write_text(json.dumps(made), encoding="utf-8")
    return str(result)


def test_a_prompt_between_two_is_told(dlbricks: Run, tmp_path: Path) -> None:
    """Steps tell nothing of prompts, so these are measured at the shortest and at the longest length."""
    (tmp_path / "decoder").mkdir()
    write_export(tmp_path / "decoder" / "model.onnx", "merged")
    suite, result = str(tmp_path / "s"), str(tmp_path / "r.json")
    folder = str(tmp_path / "decoder")
    said = dlbricks("generate", folder, "--prompt", "8..16", "--generate", "4", "-o", suite).stderr
    assert "--dim past=0,1,19 --dim sequence=1,8,16" in said
    dlbricks("run", suite, "-o", result, "--smoke", "--name", "box")
    dlbricks("submit", result, "--suite", suite)
    dims = ("--dim", "past=0,1,19", "--dim", "sequence=1,8,16")
    asked = ("--system", "box", "--generate", "4", "--json")
    assert len(json.loads(dlbricks("estimate", folder, *asked, *dims, "--prompt", "12").stdout)["steps"]) == 3
    sweep = ("--sweep", "prompt=8..16")
    swept = dlbricks("estimate", folder, *asked, *sweep).stdout
    assert json.loads(swept) == json.loads(dlbricks("estimate", folder, *asked, *sweep, *dims).stdout)


@pytest.mark.parametrize(
    ("form", "more"),
    [
        ("builder", ("--chunk", "4")),
        ("tokens first", ("--batch", "2")),
    ],
)
def test_measured_lengths_need_not_be_given(dlbricks: Run, tmp_path: Path, form: str, more: tuple[str, ...]) -> None:
    """They are found in the store, and the answer is that with the printed options; where there are none it says so."""
    file = tmp_path / "decoder" / "model.onnx"
    if form == "builder":
        write_decoder(file.parent, int4=True)
    else:
        (write_cache_form if form == "tokens first" else write_export)(file, form)
    suite, asked = str(tmp_path / "s"), ("--generate", "4", *more)
    said = dlbricks("generate", str(file), "--prompt", "8..32", *asked, "-o", suite).stderr
    dims = said.partition("(use them for estimate and validate, too): ")[2].splitlines()[0]
    where = ("estimate", str(file), "--system", "box", *asked)
    dlbricks("submit", as_measured(Path(suite)), "--suite", suite)
    for prompt in ("12", "20"):
        found = dlbricks(*where, "--prompt", prompt, "--json")
        assert json.loads(found.stdout) == json.loads(
            dlbricks(*where, "--prompt", prompt, "--json", *shlex.split(dims)).stdout
        )
        assert "using the lengths measured on box: --dim " in found.stderr
    other = write_fused(tmp_path / "other.onnx")
    lacking = dlbricks("estimate", str(other), *where[2:4], "--prompt", "12", code=1).stderr
    assert "lacks results of sequences that cannot be interpolated (6)" in lacking
    assert "using the lengths measured" not in lacking


def test_measured_lengths_are_not_planned_again(dlbricks: Run, tmp_path: Path) -> None:
    """Prompts that measured lengths tell of need nothing; longer ones the lengths that lack, and then are answered."""
    file = tmp_path / "decoder" / "model.onnx"
    write_export(file, "merged")
    suite, asked = str(tmp_path / "s"), ("--generate", "4", "--chunk", "4")
    dlbricks("generate", str(file), "--prompt", "8..32", *asked, "-o", suite)
    dlbricks("submit", as_measured(Path(suite)), "--suite", suite)
    plan = ("plan", str(file), "--system", "box", *asked, "--json", "-o")
    found = dlbricks(*plan, str(tmp_path / "none"), "--prompt", "12..40")
    assert json.loads(found.stdout)["suite"] is None
    assert "using the lengths measured on box: --dim " in found.stderr
    longer = str(tmp_path / "longer")
    made = json.loads(dlbricks(*plan, longer, "--prompt", "12..160").stdout)
    assert not {"past=8", "sequence=8"} & set(made["commands"][-1].split())
    dlbricks("submit", as_measured(Path(longer), 2_000_000), "--suite", longer)
    estimate = (*shlex.split(made["commands"][-1])[1:], "--json")
    without = shlex.split(re.sub(r"--dim (past|sequence)\S* ", "", shlex.join(estimate)))
    assert json.loads(dlbricks(*without).stdout)["answers"][-1]["prompt"] == 160
    assert json.loads(dlbricks(*estimate).stdout)["answers"][-1]["prompt"] == 160


def generated(
    dlbricks: Run,
    folder: Path,
    asked: tuple[str, ...],
    *options: str,
) -> Any:
    """Answer prompts from made-up times of what they need."""
    suite = str(folder / f"{options}")
    said = dlbricks("generate", str(folder / "decoder"), *options[:2], *asked, "-o", suite).stderr
    dims = said.partition("(use them for estimate and validate, too): ")[2].splitlines()[0].split()
    result = as_measured(Path(suite))
    dlbricks("submit", result, "--suite", suite)
    where = ("--system", "box", *options, *dims, *asked, "--json")
    return json.loads(dlbricks("estimate", str(folder / "decoder"), *where).stdout)


def test_a_prompt_is_read_in_chunks(dlbricks: Run, tmp_path: Path) -> None:
    """The first token takes as many calls as there are chunks, of which the first and the last are measured."""
    write_decoder(tmp_path / "decoder", int4=True)
    made = generated(dlbricks, tmp_path, ("--prompt", "16", "--generate", "4", "--chunk", "4"))
    assert (made["prompt"], made["chunk"], len(made["steps"])) == (16, 4, 3)
    step_ns = made["steps"][0]["time"]["middle_ns"]
    assert made["first_token"]["middle_ns"] == pytest.approx(4 * step_ns, rel=0.05)


@pytest.mark.parametrize("form", [*STEP_FORMS, "flat"])
def test_a_decoder_of_single_steps_is_answered(dlbricks: Run, tmp_path: Path, form: str) -> None:
    """Its prompt is so many steps; what it cannot do is one line; another decoder does so with --chunk 1."""
    file = tmp_path / "decoder" / "model.onnx"
    (write_export if form == "flat" else write_step)(file, form)
    more = ("--chunk", "1") if form == "flat" else ()
    suite, path = str(tmp_path / "s"), str(file)
    said = dlbricks("generate", path, "--prompt", "4..8", "--generate", "4", *more, "-o", suite).stderr
    assert "--dim past=1,11 --dim sequence=1\n" in said
    dlbricks("submit", as_measured(Path(suite)), "--suite", suite)
    where = ("estimate", path, "--system", "box", "--prompt", "6", "--generate", "4")
    made = json.loads(dlbricks(*where, *more, "--json").stdout)
    steps = [one["time"]["middle_ns"] for one in made["steps"]]
    assert made["chunk"] == 1
    assert made["first_token"]["middle_ns"] == pytest.approx(6 * steps[0], rel=0.01)
    dlbricks("plan", path, *where[2:], *more, "-o", str(tmp_path / "p"))
    assert not (tmp_path / "p").exists()
    checked = ("--prompt", "6", "--generate", "3", "--smoke", "--json")
    loop = json.loads(dlbricks("validate", path, *more, *checked).stdout)["loops"][0]
    assert [one["what"] for one in loop["calls"]] == ["first token", "next token", "next token", "in all"]
    if form != "flat":
        assert "takes 1 new token per call, not " in dlbricks(*where, "--chunk", "2", code=2).stderr
    if form == "joined":
        assert f"exceed its cache of {ROOM}" in dlbricks(*where[:4], "--prompt", "40", code=2).stderr


@pytest.mark.parametrize("form", ["merged", "fused"])
def test_inputs_together_are_read_in_chunks_where_the_runtime_can(dlbricks: Run, tmp_path: Path, form: str) -> None:
    """Not by GroupQueryAttention, which is said before anything is measured or written."""
    (tmp_path / "decoder").mkdir()
    write = write_fused if form == "fused" else functools.partial(write_export, form=form)
    write(tmp_path / "decoder" / "model.onnx")
    asked = ("--prompt", "12", "--generate", "3", "--chunk", "3", "--batch", "2")
    made = json.loads(dlbricks("validate", str(tmp_path / "decoder"), *asked, "--smoke", "--json").stdout)
    assert (made["batch"], made["chunk"], len(made["loops"][0]["calls"])) == (2, 3, 4)
    grouped = str(write_decoder(tmp_path / "grouped", int4=True))
    for verb, *options in (("validate",), ("generate", "-o", str(tmp_path / "s")), ("estimate", "--system", "here")):
        said = dlbricks(verb, grouped, *asked, *options, code=2).stderr.strip().splitlines()
        assert "only for batch 1 (GroupQueryAttention)" in said[-1]
    assert not (tmp_path / "s").exists()
    dims = ("--dim", "past=0,3", "--dim", "sequence=1,3", "--system", "here")
    said = dlbricks("estimate", grouped, *asked, *dims, code=2).stderr.strip().splitlines()
    assert "only for batch 1 (GroupQueryAttention)" in said[-1]


def test_a_grid_leaves_out_what_the_runtime_refuses(dlbricks: Run, tmp_path: Path) -> None:
    """Several new tokens behind a cache for several inputs: in our words, with what to give in its place."""
    folder = str(write_decoder(tmp_path / "decoder", int4=True))
    dims = ("--dim", "past=0,4", "--dim", "sequence=1,2", "--dim", "batch=1,2")
    said = dlbricks("generate", folder, *dims, "-o", str(tmp_path / "s")).stdout
    (line,) = (one for one in said.splitlines() if "left out" in one)
    assert line.startswith("decoder past=4 sequence=2 batch=2: 1 layer left out: onnxruntime takes several new tokens")
    assert "as in --dim past:sequence=1:1,64:1,0:16" in line


def test_a_batch_is_one_of_those_measured(dlbricks: Run, tmp_path: Path) -> None:
    """Several are measured, and each answers with what it was measured with."""
    write_decoder(tmp_path / "decoder", int4=True)
    made = generated(dlbricks, tmp_path, ("--prompt", "16", "--generate", "4"), "--dim", "batch=1,2", "--batch", "2")
    assert (made["batch"], made["chunk"], len(made["steps"])) == (2, 16, 3)
    assert made["cache_bytes"] == 2 * 2 * 3 * 64 * 4 * 19


def test_two_lengths_of_the_same_work_tell_a_third(dlbricks: Run, tmp_path: Path) -> None:
    """A window bounds what attention does: its steps differ in length, and in nothing that time is drawn over."""
    write_decoder(tmp_path / "decoder", int4=True, layers=2, window=8, model="gpt-oss-20b")
    made = generated(dlbricks, tmp_path, ("--prompt", "16", "--generate", "4"))
    assert len(made["steps"]) == 3


def test_choosing_a_token_stands_apart(dlbricks: Run, tmp_path: Path) -> None:
    """It is measured once, for all lengths, and is in none of the times."""
    write_decoder(tmp_path / "decoder", int4=True)
    made = generated(dlbricks, tmp_path, ("--prompt", "16", "--generate", "4"))
    assert [one["how"] for one in made["choices"]] == ["the likeliest", "one of the 50 likeliest"]
    assert all(one["time"]["middle_ns"] > 0 for one in made["choices"])
    last = made["steps"][-1]["time"]["middle_ns"]
    assert (
        made["whole"]["middle_ns"]
        < made["first_token"]["middle_ns"] + 3 * max(last, *(one["time"]["middle_ns"] for one in made["steps"])) + 3
    )


def test_a_decoder_as_it_would_be_is_set_beside_itself(dlbricks: Run, tmp_path: Path) -> None:
    """With weights of other bits, and with fewer heads of keys and values: its commands name what the user named."""
    folder = write_decoder(tmp_path / "decoder")
    lengths = ("--prompt", "16", "--generate", "4")
    before = generated(dlbricks, tmp_path, lengths)
    assert before["network"] == "decoder"
    by_hand = ("--dim", "past=0,30", "--dim", "sequence=1,20", "-o", str(tmp_path / "more"), "--json")
    planned = json.loads(dlbricks("plan", str(folder), "--system", "box", *by_hand).stdout)
    assert planned["plan"]["fingerprints"]
    assert "--dim past=0,30 --dim sequence=1,20" in planned["commands"][-1]
    for options, name in ((("--weights", "int8"), "decoder-int8"), (("--kv-heads", "1"), "decoder-1-kv-heads")):
        suite, where = str(tmp_path / name), ("--system", "box", *lengths, *options)
        made = json.loads(dlbricks("plan", str(folder), *where, "-o", suite, "--json").stdout)
        assert f"estimate {folder} {' '.join(options)} " in made["commands"][-1]
        dlbricks("submit", as_measured(Path(suite)), "--suite", suite)
        dims = ("--dim", "past=0,1,19", "--dim", "sequence=1,16")
        answer = dlbricks("estimate", str(folder), *where, *dims, "--json")
        assert " times as fast" in answer.stderr
        found = json.loads(answer.stdout)
        assert found["network"] == name
        smaller = "cache_bytes" if "--kv-heads" in options else "weight_bytes"
        assert found[smaller] < before[smaller]


def test_what_no_decoder_can_be_is_one_line(dlbricks: Run, tmp_path: Path) -> None:
    """Heads that do not divide, weights that it has already, a network that is no decoder."""
    folder = str(write_decoder(tmp_path / "decoder", int4=True))
    for network, options, said in (
        (folder, ("--kv-heads", "2"), "--kv-heads 2 does not divide the 9 heads"),
        (folder, ("--weights", "int4"), "have weights of 4 bits already"),
        (NETWORK, ("--weights", "int8"), "--weights and --kv-heads apply to decoders only"),
        (str(write_export(tmp_path / "export" / "e.onnx", "flat")), ("--kv-heads", "1"), "has no GroupQueryAttention"),
    ):
        arguments = (network, "--dim", "past=8", *options, "-o", str(tmp_path / "suite"))
        assert said in dlbricks("generate", *arguments, code=2).stderr
    assert not (tmp_path / "suite").exists()


def test_a_decoder_is_read_once(dlbricks: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a command asks of the file, in how many calls and processes it is split."""
    folder, reads = write_decoder(tmp_path / "decoder", int4=True), tmp_path / "reads"
    read = skim._read

    def counting(path: Path) -> bytes:
        if path.parent == folder:
            with reads.open("a", encoding="utf-8") as log:  # forks write to the same file
                log.write("x")
        return read(path)

    monkeypatch.setattr(skim, "_read", counting)
    asked, suite = ("--prompt", "16", "--generate", "4"), str(tmp_path / "s")
    dlbricks("generate", str(folder), *asked, "-o", suite)
    assert reads.read_text(encoding="utf-8") == "x"
    dlbricks("submit", as_measured(Path(suite)), "--suite", suite)
    for verb, *options in (("estimate",), ("plan", "-o", str(tmp_path / "p"))):
        reads.unlink()
        dlbricks(verb, str(folder), "--system", "box", *asked, *options)
        assert reads.read_text(encoding="utf-8") == "x"
