"""Types of all JSON documents that dlbricks reads or prints, by the name of their schema in ``docs/schemas.json``."""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import jsonschema

import dlbricks
from dlbricks.analysis.calls import LevelOverhead
from dlbricks.analysis.table import Breakdown, Table
from dlbricks.api.validation import QuickAnswer
from dlbricks.construct.comparison import Comparison, Faster
from dlbricks.construct.compose import Inspection
from dlbricks.construct.coverage import Coverage, Plan
from dlbricks.construct.types import Estimate
from dlbricks.harness.run.cli import SUMMARY_SCHEMA_VERSION, RunSummaries, RunSummary
from dlbricks.model.types import LoweringTarget
from dlbricks.plugins.llm.generation import Generation
from dlbricks.plugins.llm.validation import GenerationValidation
from dlbricks.plugins.privacy.evaluation import Leakage
from dlbricks.plugins.repro.pieces import Reproduction
from dlbricks.plugins.trust.statements import STATEMENT_SCHEMA_VERSION, Statement
from dlbricks.profile.file import PROFILE_SCHEMA_VERSION, Export, _Content
from dlbricks.report.console import SCHEMA_VERSION
from dlbricks.store.document import SUBMISSION_SCHEMA_VERSION, SubmissionFile
from dlbricks.store.types import (
    Finding,
    NameKey,
    RegisteredSuite,
    StoredResult,
    SubmissionReceipt,
    SubmissionSummary,
    SystemConfiguration,
    SystemSummary,
)
from dlbricks.suite.manifest import SUITE_SCHEMA_VERSION, NetworkReport, Suite
from dlbricks.trace.types import Roofs
from dlbricks.validate.compare import VALIDATION_SCHEMA_VERSION
from dlbricks.validate.types import Validation
from dlbricks.whatif.answer import AdviceReport, Answer
from dlbricks.whatif.evidence import BacktestErrors
from dlbricks.whatif.transform import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedValidation(Validation):
    """The content of a validation file."""

    digest: str
    """SHA-256 of the canonical JSON of everything else in it; files before version 6 may have none."""


class Inspected(TypedDict):
    """Networks before anything is measured: the output of ``inspect``."""

    networks: list[Inspection]
    left_out: NotRequired[dict[str, str]]
    """Why networks could not be split, by file."""


class GeneratedSuite(TypedDict):
    """Summary of a written suite: the output of ``generate``."""

    suite: str
    """Folder or archive."""
    name: str
    digest: str
    granularity: str
    benchmarks: int
    pairs: bool
    """Whether pairs of adjacent sequences are measured, too."""
    networks: tuple[NetworkReport, ...]


class NetworkLevels(TypedDict):
    """Latency of a network at each tracing level."""

    network: str
    file: str | None
    """File of the profile; None if none was written."""
    levels: tuple[LevelOverhead, ...]
    roofs: Roofs | None
    notes: tuple[str, ...]


class PanelContent(TypedDict):
    """Content of a panel, and unavailable analyses with reasons."""

    title: str
    charts: tuple[str, ...]
    """Titles."""
    tables: tuple[str, ...]
    """Ids of analyses."""
    unavailable: Mapping[str, str]
    """Ids of unavailable analyses, and what they need."""
    timeline: str
    """What the timeline omits, or why there is none; empty if it is complete."""
    notes: tuple[str, ...]


class LoweredFiles(TypedDict):
    """The output of ``lower``."""

    target: str
    made_for: LoweringTarget
    files: list[str]
    left_out: NotRequired[dict[str, str]]
    """Why networks could not be lowered, by file."""


class Extracted(TypedDict):
    """The output of ``extract``."""

    file: str


class CheckedResults(TypedDict):
    """The output of ``check`` for several results."""

    results: Mapping[str, list[Finding]]
    """Findings by result file."""


class Checked(TypedDict):
    """The output of ``check``."""

    result: str
    findings: list[Finding]


class Withdrawn(TypedDict):
    """The output of ``withdraw``."""

    digest: str
    withdrawn: bool
    new: bool
    """Whether that changed anything."""


class NameKeys(TypedDict):
    """The output of ``key``."""

    system: str
    keys: list[NameKey]
    """Oldest first; the last one owns the name. Empty where none does, and where a file was written to be sent."""


class Submitted(TypedDict):
    """The output of ``submit`` for a folder."""

    receipts: dict[str, SubmissionReceipt]
    """By file."""
    refused: dict[str, str]
    """Why, by file."""


class Published(TypedDict):
    """The output of ``publish``."""

    bundle: str
    """The file."""
    systems: int
    bytes: int
    key: str
    """Fingerprint of the key that signed it; empty if none did."""


class ChallengeMade(TypedDict):
    """The output of ``challenge make``."""

    result: str
    """Digest of the result that is challenged."""
    sequences: int
    calls: int
    claimed_ns: int
    """What all calls take together, by the result."""
    issued_unix_ns: int
    due_unix_ns: int
    """When the answer has to be verified, by the collector's clock."""


class ChallengeVerdict(TypedDict):
    """The output of ``challenge verify``."""

    result: str
    faults: list[str]
    """Why the answer is no proof; empty when it is one."""
    links: int
    """Calls that were made again."""
    calls: int
    elapsed_ns: int
    """From make to verify."""
    claimed_ns: int
    difference: float
    """Largest root mean square difference of a float32 answer from the collector's, relative."""
    verified_ns: int
    answered_ns: int
    """What answering took, as the system says."""
    factor: float
    """How many times slower than claimed the system can be at most, in the mean."""


class Audited(TypedDict):
    """The output of ``challenge audit``."""

    digest: str
    trust: str


class Suites(TypedDict):
    """The output of ``suites``."""

    suites: list[RegisteredSuite]
    """Those that results are held against."""


class ShippedSystem(TypedDict):
    """A system of the bundle that ships with dlbricks."""

    configuration: SystemConfiguration
    processor: str


class Systems(TypedDict):
    """The output of ``systems``."""

    systems: list[SystemSummary]
    shipped: NotRequired[list[ShippedSystem]]
    """Systems that ship with dlbricks."""


class Submissions(TypedDict):
    """The output of ``systems --all``."""

    submissions: list[SubmissionSummary]


class Results(TypedDict):
    """The output of ``query``."""

    results: list[StoredResult]


class Compared(TypedDict):
    """The output of ``compare``."""

    comparisons: list[Comparison]
    """One for each network; without networks a single one."""
    left_out: NotRequired[dict[str, str]]
    """Why networks could not be split, by file."""


class Reproduced(TypedDict):
    """The output of ``repro``."""

    reproduction: Reproduction
    file: str | None
    """None if no piece is surely slower."""
    tells: str
    """What the file discloses."""


class Planned(TypedDict):
    """The output of ``plan``."""

    suite: str | None
    """Its folder; None where nothing is missing."""
    plan: Plan
    commands: NotRequired[tuple[str, ...]]
    """Run the suite on the system, submit the result, estimate; empty where nothing is to be measured."""
    left_out: NotRequired[dict[str, str]]
    """Why networks could not be split, by file."""


class Estimates(TypedDict):
    """The output of ``estimate``; of several systems all of the first come first."""

    networks: list[Estimate]
    faster: NotRequired[list[Faster]]
    """The first of several systems against each of the others, network by network; empty for one."""
    left_out: NotRequired[dict[str, str]]
    """Why networks have no estimate, by file."""


class Sweep(TypedDict):
    """The output of ``llm estimate --sweep``."""

    answers: list[Generation]


class Levels(TypedDict):
    """The output of ``profile``."""

    networks: list[NetworkLevels]


class ProfileTables(TypedDict):
    """Analyses of one profile."""

    network: str
    tables: list[Table]
    breakdown: Breakdown | None


class Analysed(TypedDict):
    """The output of ``analyse``."""

    tables: list[Table]
    """Over all profiles."""
    profiles: list[ProfileTables]


class Page(TypedDict):
    """The output of ``report``."""

    page: str
    panels: list[PanelContent]


class Site(TypedDict):
    """The output of ``site``."""

    folder: str
    systems: int
    sequences: int
    networks: int
    results: int
    page_bytes: int
    """Size of the page; results are beside it."""
    left_out: NotRequired[dict[str, str]]
    """Why networks could not be split, by file."""


class KnownError(TypedDict):
    """Error of predicted times."""

    error: float
    source: str
    device: str


class TransformFacts(TypedDict):
    """Transform with the known error of its predictions."""

    name: str
    synonyms: tuple[str, ...]
    """Other names on the command line."""
    title: str
    parameters: tuple[Parameter, ...]
    group: str
    """Heading in the list; empty for none."""
    evidence: str
    """``back-tested``, or as declared."""
    source: str
    """Origin of the model."""
    error: KnownError | None
    """Largest of ``errors``."""
    errors: tuple[BacktestErrors, ...]
    """On each kind of trace."""
    """None if it was never validated."""


class Transforms(TypedDict):
    """The output of ``whatif --list``."""

    transforms: list[TransformFacts]


class MachineCondition(TypedDict):
    """A finding on one aspect of the machine."""

    subject: str
    level: str
    """``good``, ``note``, or ``warning`` if it disturbs measurements."""
    found: str
    advice: str
    """Advice; empty if nothing needs to be done."""


class Diagnosis(TypedDict):
    """The output of ``doctor``."""

    findings: list[MachineCondition]
    facts: dict[str, Any]
    """As a result file holds them."""
    roofs: Roofs | None
    """None where they were not asked for."""


READ: dict[str, tuple[Any, int]] = {
    "suite": (Suite, SUITE_SCHEMA_VERSION),
    "profile": (_Content, PROFILE_SCHEMA_VERSION),
    "submission": (SubmissionFile, SUBMISSION_SCHEMA_VERSION),
    "statement": (Statement, STATEMENT_SCHEMA_VERSION),
}
"""Type and version of documents that are read: fields with a default may be missing in older ones."""

_CONTENTS: Mapping[str, Any] = {
    "quick": QuickAnswer,
    "inspect": Inspected,
    "lower": LoweredFiles,
    "generate": GeneratedSuite,
    "extract": Extracted,
    "leakage": Leakage,
    "check": Checked,
    "checked": CheckedResults,
    "submit": SubmissionReceipt,
    "submitted": Submitted,
    "publish": Published,
    "challenge": ChallengeMade,
    "challenge-verdict": ChallengeVerdict,
    "audit": Audited,
    "withdraw": Withdrawn,
    "key": NameKeys,
    "suites": Suites,
    "systems": Systems,
    "submissions": Submissions,
    "query": Results,
    "compare": Compared,
    "repro": Reproduced,
    "coverage": Coverage,
    "plan": Planned,
    "estimate": Estimates,
    "generation": Generation,
    "answers": GenerationValidation,
    "sweep": Sweep,
    "levels": Levels,
    "analyse": Analysed,
    "report": Page,
    "site": Site,
    "export": Export,
    "whatif": Answer,
    "advice": AdviceReport,
    "transforms": Transforms,
    "doctor": Diagnosis,
}
PRINTED: dict[str, tuple[Any, int]] = {
    **{name: (kind, SCHEMA_VERSION) for name, kind in _CONTENTS.items()},
    "run": (RunSummary, SUMMARY_SCHEMA_VERSION),
    "runs": (RunSummaries, SUMMARY_SCHEMA_VERSION),
    "validation": (SealedValidation, VALIDATION_SCHEMA_VERSION),
}
"""Type and version of documents that ``--json`` prints: every field is there."""

SCHEMAS = Path(dlbricks.__file__).parents[1] / "docs" / "schemas.json"


@cache
def published(name: str) -> Any:
    """Read the schema of a document."""
    return json.loads(SCHEMAS.read_text(encoding="utf-8"))["$defs"][name]


@cache
def validator(name: str, *, whole: bool) -> jsonschema.Draft202012Validator:
    """What holds a document against its schema, and refuses fields that it does not name; ``whole``: none may lack."""
    schema = copy.deepcopy(published(name))
    for part in (schema, *schema["$defs"].values()):
        if "properties" in part:
            part["additionalProperties"] = False
            part["required"] = part["required"] if whole else ["format"] if part is schema else []
    return jsonschema.Draft202012Validator(schema)


def printed(text: str) -> str:
    """Hold what ``--json`` printed against its schema, which names every field of it; give its kind."""
    document = json.loads(text)
    kind: str = document["format"].removeprefix("dlbricks-")
    validator(kind, whole=True).validate(document)
    return kind
