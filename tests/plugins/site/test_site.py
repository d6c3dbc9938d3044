"""The pages of a store: what they show, in a real browser, and that nothing of others is taken for markup."""

import base64
import csv
import dataclasses
import gzip
import json
import math
import os
import re
import shlex
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from dlbricks.api.networks import read, split
from dlbricks.construct.comparison import compare
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Rule
from dlbricks.errors import InputError
from dlbricks.plugins.site.pages import INDEX, save_site
from dlbricks.plugins.site.ranking import Times, common_networks, ranking
from dlbricks.plugins.trust.hook import TrustHook
from dlbricks.plugins.trust.signing import sign, signer
from dlbricks.sequences.split import network
from dlbricks.settings import SplitSettings
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import SubmitOptions, submit
from dlbricks.store.types import Measurement, Submission
from dlbricks.typed_json import canonical_json
from dlbricks.units import format_ns, plain
from tests.cli.conftest import dlbricks as dlbricks  # noqa: PLC0414 - a fixture
from tests.cli.conftest import own_store as own_store  # noqa: PLC0414
from tests.cli.invoking import Run
from tests.report.browser import browsing, complaints, opened, requests, until
from tests.store.made_up_run import document, suite
from tests.store.stored import configuration, new_key, submission

NASTY = "x</script><script>window.broken=1</script><img src=x onerror=window.broken=1>&\"'\x1b[2J\x07\u202e"
"""What breaks out of a page or moves a terminal's cursor, where it is not escaped."""
DASH = "\N{EN DASH}"
_AWKWARD = "it's; true"
_PLACES = ("ranking", "networks", "submit", "compare", "versions", "system?id=5", "nosuch")
_ROWS = "[...document.querySelector('main table').tBodies[0].rows]"
_RANKED = f"{_ROWS}.map(row => (row.cells[1].querySelector('a') ?? row.cells[1]).textContent)"
_FOLDER = Path(__file__).parents[3] / "suites" / "networks"
_DAY_NS = 86_400 * 10**9
_NOW = 1_800_000_000 * 10**9


def _run(system: str, version: str, latency_ns: int, day: int, **more: Any) -> Submission:
    of = dataclasses.replace(configuration(system), runtime=f"onnxruntime {version}")
    made = submission(range(40), latency_ns=latency_ns, of=of, started=_NOW - (99 - day) * _DAY_NS, **more)
    quicker = sorted(made.results.measurements)[:10]

    def halved(one: Measurement) -> Measurement:
        return msgspec.structs.replace(
            one, latency_ns=one.latency_ns // 2, low_ns=one.low_ns // 2, high_ns=one.high_ns // 2
        )

    held = {
        name: halved(one) if name in quicker and system == "b" else one
        for name, one in made.results.measurements.items()
    }
    return dataclasses.replace(made, results=dataclasses.replace(made.results, measurements=held))


def _nasty() -> Submission:
    """Return a result of which every text that others write would break out of a page or a terminal."""
    facts = {"cpu": {"model": NASTY, "governor": NASTY}, "os": {"system": NASTY}, "gpus": [{"name": NASTY}]}
    of = dataclasses.replace(
        configuration(NASTY), runtime=f"{NASTY} 1.0", provider=NASTY, options=(f"key={NASTY.replace(' ', '')}",)
    )
    made = submission(range(3), of=of, body=json.dumps({"system": {"facts_before": facts}}).encode())
    labels = tuple(dataclasses.replace(one, name=NASTY) for one in made.labels)
    return dataclasses.replace(made, suite=NASTY, suite_digest="f" * 64, labels=labels)


@pytest.fixture(scope="module")
def store() -> Iterator[ResultStore]:
    """Two systems, one with four versions; one whose texts are nasty; withdrawn and embargoed results."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as made:
        made.add(_nasty())
        for day, (version, latency) in enumerate((("1.9.0", 90), ("1.10.0", 91), ("1.11.0", 150), ("1.12.0", 149))):
            made.add(_run("a", version, latency * 1000, day))
        made.add(_run("b", "1.12.0", 150_000, 9))
        made.add(_run("b", "1.12.0", 170_000, 8), embargo_unix_ns=_NOW + 9**18)
        gone, secret = _run("gone", "1.12.0", 1_000, 1), _run("secret", "1.12.0", 2_000, 1)
        made.add(gone)
        made.add(secret, embargo_unix_ns=time.time_ns() + 10 * _DAY_NS)
        made.history.withdraw(gone.digest, f"wrong {NASTY}")
        yield made


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for all tests of this file."""
    yield from browsing(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def page(store: ResultStore, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of the store."""
    folder = tmp_path_factory.mktemp("site") / "pages"
    save_site(folder, store, [], title=f"Title {NASTY}", now_unix_ns=time.time_ns(), raw=False)
    return folder / INDEX


def _go(browser: Chrome, page: Path, where: str = "") -> None:
    opened(browser, page)
    browser.execute_script(f"location.hash = '{where}'")
    until(browser, "document.documentElement.dataset.ready")


def _cells(browser: Chrome, column: int) -> list[str]:
    rows = "[...document.querySelectorAll('main table')].pop().querySelectorAll('tbody tr')"
    return list(browser.execute_script(f"return [...{rows}].map(row => row.cells[{column}].textContent)"))


def _id(browser: Chrome, name: str, version: str = "") -> str:
    """Return what addresses call a system."""
    content = browser.execute_script("return document.getElementById('content').textContent")
    systems = json.loads(content)["systems"]
    system = next(each for each in systems if each["name"] == name and each["runtime"].endswith(version))
    parts = (system[part] for part in ("name", "runtime", "kind", "options"))
    return urllib.parse.quote_plus(" ".join(filter(None, parts)))


def test_every_page_shows_without_a_complaint_and_asks_nobody(browser: Chrome, page: Path) -> None:
    """No page asks for anything but itself, executes what others wrote, complains, or is wider than a screen."""
    _go(browser, page)
    for width in (1280, 400):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        two = [_id(browser, "a", " 1.9.0"), _id(browser, plain(NASTY))]
        for where in (*_PLACES, *(f"system?id={each}" for each in two), f"compare?a={two[0]}&b={two[1]}"):
            browser.execute_script(f"location.hash = '{where}'")
            until(browser, "document.querySelector('main h2')")
            assert not browser.execute_script("return window.broken")
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, where
            assert browser.find_elements(By.CSS_SELECTOR, "main img, main script") == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert complaints(browser) == []
    sent = [url for url in requests(browser) if not url.startswith("data:")]
    assert {url.partition("#")[0] for url in sent} == {page.resolve().as_uri()}
    assert "x</script>" in browser.execute_script("location.hash='ranking'; return document.body.textContent")


def test_no_text_of_others_is_markup_or_control(page: Path) -> None:
    """Nothing of a nasty text ends a script or begins an element, and no control character is left."""
    text = page.read_text(encoding="utf-8")
    assert "<img" not in text
    assert text.count("</script>") == 2
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text)
    assert not re.search(r'"[^"]*(\\u001b|\\u0007|\\u202e)', text)


def test_without_networks_systems_are_ranked_over_their_sequences(browser: Chrome, page: Path) -> None:
    """Those that have all sequences are ranked, with 95 % intervals, and CSV and JSON hold the means."""
    _go(browser, page)
    body = until(browser, "document.querySelector('main').textContent")
    assert "latencies of 40 layer sequences" in body
    assert "since 95 % intervals overlap" in body
    assert until(browser, f"{_RANKED}.length && {_RANKED}") == ["a", "a", "b", "a", "a"]
    listed = json.loads((page.parent / "results.json").read_text())
    assert [(row["system"], row["network"]) for row in listed] == [
        (system, "geometric mean of 40 layer sequences") for system in "aaaab"
    ]
    of_b = 150_000 * 0.5 ** (10 / 40)
    assert listed[-1]["latency_ns"] == pytest.approx(of_b, abs=2)


def test_embargo_and_withdrawal_are_kept(page: Path) -> None:
    """What is under embargo is nowhere on the page; what is withdrawn is there with its reason, and in no figure."""
    text = page.read_text(encoding="utf-8")
    assert "secret" not in text
    content = json.loads(re.search(r'id="content">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    assert [one["name"] for one in content["systems"] if one["name"] == "gone"] == []
    [gone] = content["withdrawn"]
    assert gone["system"] == "gone"
    assert gone["said"][0][0].startswith("withdrawn on ")
    assert [len(one["runs"]) for one in content["systems"] if one["name"] == "b"] == [1]


def test_two_systems_are_compared_as_on_a_terminal(browser: Chrome, page: Path, store: ResultStore) -> None:
    """Ratio and interval are those of ``compare``; sequences that are left out change them, and can come back."""
    _go(browser, page)
    first, second = _id(browser, "a", " 1.9.0"), _id(browser, "b", " 1.12.0")
    browser.execute_script(f"location.hash = 'compare?a={first}&b={second}'")
    answer = until(browser, "document.getElementById('answer')?.textContent")
    held = {(one.configuration.system, one.configuration.runtime): one for one in store.results_of_all()}
    pair = held["a", "onnxruntime 1.9.0"], held["b", "onnxruntime 1.12.0"]
    made = compare(*pair, {})
    assert [float(text) for text in re.findall(r"\d\.\d{3}", answer)] == pytest.approx(
        [made.ratio, made.low, made.high], abs=6e-4
    )
    assert _cells(browser, 2)[:30] == [row.fingerprint[:12] for row in made.rows][:30]
    shown = browser.execute_script("return [...document.querySelectorAll('main td span[title]')].map(one => one.title)")
    assert [[float(text) for text in re.findall(r"\d\.\d{3}", title)] for title in shown[:30]] == [
        pytest.approx([row.low, row.high], abs=2e-3) for row in made.rows[:30]
    ]
    boxes = "document.querySelectorAll('main input[type=checkbox]')"
    for _ in range(30):
        slower = "one => one.checked && one.closest('tr').cells[6].textContent > '1'"
        browser.execute_script(f"[...{boxes}].find({slower}).click()")
    left = until(browser, "document.getElementById('answer').textContent")
    assert float(re.findall(r"\d\.\d{3}", left)[0]) == pytest.approx(75 / 90, abs=6e-4)
    assert "30 sequences left out" in str(browser.find_element(By.TAG_NAME, "main").text)
    browser.find_element(By.XPATH, "//button[text()='Include all']").click()
    assert until(browser, "document.getElementById('answer').textContent") == answer
    Select(browser.find_elements(By.CSS_SELECTOR, "main select")[1]).select_by_value(urllib.parse.unquote_plus(first))
    assert until(browser, "document.getElementById('answer')?.textContent.includes('no significant difference')")


_NETWORKS = {
    name: split(read(_FOLDER / f"{name}.onnx", target="portable")) for name in ("misc_lstm_lm", "int8_tv_resnet18")
}


def _measured(store: ResultStore, system: str, factors: dict[str, int], **more: Any) -> None:
    """Store a result in which each sequence of a network takes 100 us times the network's factor."""
    wanted: dict[str, int] = {}
    for name, factor in factors.items():
        wanted |= {step.fingerprint: factor for step in compose(_NETWORKS[name]).steps if not step.free}
    started = more.pop("started", time.time_ns() - _DAY_NS)
    made = submission(range(len(wanted)), of=configuration(system, **more), started=started, smoke=system == "smoke")
    times = sorted((name, 100_000 * factor) for name, factor in wanted.items())
    rows = {
        name: msgspec.structs.replace(
            one,
            fingerprint=name,
            latency_ns=ns,
            llc_warm_ns=ns,
            weights_cold_ns=ns,
            low_ns=ns - 1000,
            high_ns=ns + 1000,
        )
        for (name, ns), one in zip(times, made.results.measurements.values(), strict=True)
    }
    labels = tuple(dataclasses.replace(each, fingerprint=name) for name, each in zip(rows, made.labels, strict=True))
    results = dataclasses.replace(made.results, measurements=rows, features={})
    store.add(dataclasses.replace(made, results=results, labels=labels))


def test_networks_are_shown_and_compared_as_on_a_terminal(browser: Chrome, tmp_path: Path) -> None:
    """A network has an estimate with its interval on each system, and both side by side the figures of ``compare``."""
    network = _NETWORKS["misc_lstm_lm"]
    composition = compose(network)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for place, system in enumerate(("first", "second")):
            _measured(store, system, {"misc_lstm_lm": 2 + place})
        save_site(
            tmp_path / "site",
            store,
            [[(SplitSettings(target="portable"), network)]],
            title="t",
            now_unix_ns=time.time_ns(),
            raw=False,
        )
        first, second = store.results_of_all()
    rule = Rule.SEQUENTIAL
    estimates = (estimate(composition, first, rule), estimate(composition, second, rule))
    comparison = compare(first, second, {}, estimates=estimates)
    _go(browser, tmp_path / "site" / INDEX, "networks")
    assert _cells(browser, 5) == ["2"]
    browser.find_element(By.LINK_TEXT, "misc_lstm_lm").click()
    until(browser, "document.querySelector('main h2').textContent === 'misc_lstm_lm'")
    shown = [f"{name}onnxruntime 1.31.1 · cpu · 1 thread self-reported" for name in ("first", "second")]
    assert _cells(browser, 1) == shown
    assert _cells(browser, 7) == [format_ns(each.total_ns) for each in estimates]
    assert all(re.fullmatch(r"[\d.]+ [mu]s to [\d.]+ [mu]s", text) for text in _cells(browser, 8))
    both = f"a={_id(browser, 'first')}&b={_id(browser, 'second')}"
    browser.execute_script(f"location.hash = 'compare?{both}&network=misc_lstm_lm'")
    shown = until(browser, "document.getElementById('answer')?.textContent")
    assert [float(text) for text in re.findall(r"\d\.\d{3}", shown)] == pytest.approx(
        [comparison.ratio, comparison.low, comparison.high], abs=6e-4
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not browser.find_element(By.TAG_NAME, "nav").is_displayed()
    assert browser.find_element(By.ID, "answer").is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of five systems and two networks; ``part`` has measured one of them."""
    folder = tmp_path_factory.mktemp("ranked") / "pages"
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        _measured(store, "slow", {"misc_lstm_lm": 8, "int8_tv_resnet18": 9})
        _measured(store, "uneven", {"misc_lstm_lm": 1, "int8_tv_resnet18": 16})
        _measured(store, "even", {"misc_lstm_lm": 3, "int8_tv_resnet18": 3}, threads=2)
        _measured(store, "part", {"misc_lstm_lm": 2}, started=time.time_ns() - 60 * _DAY_NS)
        _measured(store, "smoke", {"misc_lstm_lm": 20, "int8_tv_resnet18": 20}, provider="=other")
        networks = [[(SplitSettings(target="portable"), network)] for network in _NETWORKS.values()]
        save_site(folder, store, networks, title="t", now_unix_ns=time.time_ns(), raw=False)
    return folder / INDEX


def test_systems_are_ranked_by_the_geometric_mean_of_networks_that_they_share(browser: Chrome, ranked: Path) -> None:
    """The page opens on the ranking; who lacks a network is below it; a network, a filter or a heading changes it."""
    _go(browser, ranked)
    order = ["even", "uneven", "slow", "smoke"]
    assert until(browser, _RANKED) == order
    assert [text.partition("onnx")[0] for text in _cells(browser, 0)] == ["part"]
    assert _cells(browser, 6) == ["1 of 2"]
    body = str(browser.find_element(By.TAG_NAME, "main").text)
    assert "latencies of 2 networks. Ranked are the 4 systems" in body
    assert "smoke test" in body
    means = browser.execute_script(f"return {_ROWS}.map(row => [row.cells[8].textContent, row.cells[10].textContent])")
    systems = json.loads(browser.execute_script("return document.getElementById('content').textContent"))["systems"]
    latencies = {one["name"]: [each["ns"] for each in one["figures"] if each] for one in systems}
    of = {name: math.sqrt(math.prod(latencies[name])) for name in order}
    assert means == [[format_ns(of[name]), f"{of[name] / of['even']:.2f}"] for name in order]
    browser.find_element(By.TAG_NAME, "summary").click()
    browser.find_element(By.XPATH, "//button[@aria-label='network: int8_tv_resnet18']").click()
    assert until(browser, f"{_RANKED}.length === 5 && {_RANKED}") == ["uneven", "part", "even", "slow", "smoke"]
    browser.find_element(By.XPATH, "//button[@aria-label='network: misc_lstm_lm']").click()
    assert until(browser, "document.getElementById('none')?.textContent").startswith("No network is chosen.")
    assert "Networks: 0 of 2" in browser.find_element(By.TAG_NAME, "main").text
    browser.find_element(By.XPATH, "//button[@aria-label='networks: default']").click()
    browser.find_element(By.XPATH, "//button[@aria-label='precision: float32']").click()
    assert until(browser, f"{_RANKED}.length === 5 && {_RANKED}") == ["uneven", "part", "even", "slow", "smoke"]
    browser.find_element(By.XPATH, "//button[@aria-label='precision: float32']").click()
    Select(browser.find_element(By.CSS_SELECTOR, ".filters select")).select_by_index(1)
    assert until(browser, "!document.querySelector('main h3') && true")
    browser.find_element(By.XPATH, "//th/button[text()='system']").click()
    assert until(browser, f"document.querySelector('th[aria-sort]') && {_RANKED}") == sorted(order)


def test_filters_of_the_ranking_are_reached_by_keyboard(browser: Chrome, ranked: Path) -> None:
    """Tab goes through them, a key presses one and stays on it, and none makes a phone scroll sideways."""
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    _go(browser, ranked)
    until(browser, "document.querySelector('.filters')")
    browser.execute_script("document.getElementById('main').focus()")
    label = "document.activeElement.getAttribute('aria-label')"
    for wanted in ("runtime: onnxruntime 1.31.1", "provider: =other", "provider: cpu", "threads: 1", "threads: 2"):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        assert browser.execute_script(f"return {label}") == wanted
    ActionChains(browser).send_keys(Keys.SPACE).perform()
    assert until(browser, f"{_RANKED}.length === 1 && {_RANKED}") == ["even"]
    pressed = browser.execute_script(f"return [{label}, document.activeElement.getAttribute('aria-pressed')]")
    assert pressed == ["threads: 2", "true"]
    for where in ("ranking", "networks", "network?name=misc_lstm_lm", "submit"):
        browser.execute_script(f"location.hash = '{where}'")
        frames = "[...document.querySelectorAll('main h2, .frame')].map(one => one.scrollWidth)"
        assert max(until(browser, f"[document.documentElement.scrollWidth, ...{frames}]")) <= 390, where
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "width": 720})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.execute_script("location.hash = 'ranking'")
    assert until(browser, "document.querySelector('.filters') && document.documentElement.scrollWidth") <= 720
    assert "cpu · 2 threads" in browser.find_element(By.TAG_NAME, "main").text
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert complaints(browser) == []


def test_a_phone_shows_both_configurations_whole(browser: Chrome, ranked: Path) -> None:
    """Selects of the page Compare cut their texts; below each stands the configuration with threads and provider."""
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    _go(browser, ranked, "compare")
    labels = "[...document.querySelectorAll('.choices label')]"
    shown = until(browser, f"{labels}.map(each => getComputedStyle(each, '::after').content)")
    whole = [f'"{name} · {threads} · onnxruntime 1.31.1 · cpu"' for name, threads in _FIRST_TWO]
    assert shown == [*whole, "none"]
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


_FIRST_TWO = (("even", "2 threads"), ("part", "1 thread"))


def test_a_ranking_without_systems_says_why_and_can_be_cleared(browser: Chrome, ranked: Path) -> None:
    """No mean of no networks: the filter that matches no system is named, and a button clears all of them."""
    for where in ("ranking?threads=7", "ranking?search=resnet"):
        _go(browser, ranked, where)
        text = until(browser, "document.getElementById('none')?.textContent")
        assert text.startswith("No system matches the filters and the search. Clear all filters")
        assert "Geometric mean" not in browser.find_element(By.TAG_NAME, "main").text
        assert ("Names of networks with this text: 1 network." in text) == ("resnet" in where)
        browser.find_element(By.CSS_SELECTOR, "#none button").click()
        assert until(browser, f"{_RANKED}.length === 4 && !document.getElementById('none')")
        assert browser.execute_script("return document.getElementById('search').value") == ""


def test_the_search_is_kept_in_the_address(browser: Chrome, ranked: Path) -> None:
    """As other filters are: a link has it, a filter keeps it, another page does not."""
    _go(browser, ranked, "ranking?threads=1")
    browser.find_element(By.ID, "search").send_keys("ven")
    assert until(browser, f"{_RANKED}.length === 1 && {_RANKED}") == ["uneven"]
    assert browser.current_url.endswith("#ranking?threads=1&search=ven")
    browser.find_element(By.XPATH, "//button[@aria-label='threads: 1']").click()
    assert until(browser, f"{_RANKED}.length === 2 && {_RANKED}") == ["even", "uneven"]
    opened(browser, ranked)
    browser.get(f"{ranked.resolve().as_uri()}#networks?search=lstm")
    assert until(browser, f"{_ROWS}.map(row => row.cells[0].textContent)") == ["misc_lstm_lm"]
    browser.find_element(By.LINK_TEXT, "Ranking").click()
    assert until(browser, f"{_RANKED}.length === 4 && document.getElementById('search').value === ''")


def test_ranks_of_a_network_are_ranges_as_those_of_the_ranking(browser: Chrome, tmp_path: Path) -> None:
    """Where intervals of two systems overlap, both pages say which ranks are possible."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for system, factor in (("first", 10), ("second", 10), ("third", 90)):
            _measured(store, system, {"misc_lstm_lm": factor})
        networks = [[(SplitSettings(target="portable"), _NETWORKS["misc_lstm_lm"])]]
        save_site(tmp_path / "site", store, networks, title="t", now_unix_ns=time.time_ns(), raw=False)
    for where in ("ranking", "network?name=misc_lstm_lm"):
        _go(browser, tmp_path / "site" / INDEX, where)
        until(browser, f"{_ROWS}.length === 3 && document.querySelector('main .bar')")
        assert _cells(browser, 0) == [f"1 (1{DASH}2)", f"2 (1{DASH}2)", "3"], where
        assert "Ranks in brackets are possible" in browser.find_element(By.TAG_NAME, "main").text


def test_the_page_of_a_system_has_its_day_and_networks(browser: Chrome, ranked: Path) -> None:
    """Its address names the configuration; what takes longest comes first; an unknown name leads to no other page."""
    _go(browser, ranked, "ranking")
    until(browser, f"{_RANKED}.length === 4")
    browser.find_element(By.LINK_TEXT, "slow").click()
    facts = until(browser, "document.querySelector('main dl.facts')?.textContent")
    assert f"id={_id(browser, 'slow')}" in browser.current_url
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86_400))
    assert f"measured{day}trust" in facts
    assert browser.execute_script(f"return {_ROWS}.map(row => row.cells[0].textContent)") == [
        "int8_tv_resnet18",
        "misc_lstm_lm",
    ]
    times = [float(text.split()[0]) for text in _cells(browser, 2)]
    assert times == sorted(times, reverse=True)
    assert len(set(times)) > 1
    for where, what in (("system?id=5", "system"), ("network?name=x", "network"), ("compare?a=0&b=5", "system")):
        browser.execute_script(f"location.hash = '{where}'")
        assert until(browser, "document.querySelector('main h2').textContent") == f"Unknown {what}"


def test_without_javascript_the_ranking_is_there_and_files_have_its_figures(browser: Chrome, ranked: Path) -> None:
    """The plain table has the rows of the drawn one, the rules stand below it, CSV and JSON hold the same estimates."""
    _go(browser, ranked)
    figures = "{rows}.map(row => row.cells[{cell}].textContent)"
    until(browser, "document.querySelector('.filters')")  # until then, the table without JavaScript stands there
    drawn = browser.execute_script(f"return [{_RANKED}, {figures.format(rows=_ROWS, cell=8)}]")
    browser.get("about:blank")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get(ranked.resolve().as_uri())
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert browser.execute_script(f"return [{_RANKED}, {figures.format(rows=_ROWS, cell=7)}]") == drawn
    body = str(browser.find_element(By.TAG_NAME, "main").text)
    for text in ("part", "DB303", "dlbricks submit result.json", "smoke"):
        assert text in body
    listed = json.loads((ranked.parent / "results.json").read_text())
    assert len(listed) == 9
    written = list(csv.DictReader((ranked.parent / "results.csv").read_text().splitlines()))
    assert [{name: str(value) for name, value in row.items()} for row in listed] == [
        {**row, "provider": row["provider"].lstrip("'")} for row in written
    ]
    assert {row["provider"] for row in written} == {"cpu", "'=other"}
    assert [row["precision"] for row in listed[:2]] == ["float32", "int8"]


def test_pages_of_a_bundle_have_the_estimates_of_its_store(dlbricks: Run) -> None:
    """A published file gives the same ranking as the store, without results; another file is refused in a line."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True, hook=TrustHook()) as store:
        _measured(store, "a", {"misc_lstm_lm": 2})
        _measured(store, "b", {"misc_lstm_lm": 1})
    dlbricks("publish", os.environ["DLBRICKS_STORE"], "-o", "systems.parquet")
    network = str(_FOLDER / "misc_lstm_lm.onnx")
    for place, out in (("bundle:systems.parquet", "of-bundle"), (os.environ["DLBRICKS_STORE"], "of-store")):
        assert "2 systems" in dlbricks("site", place, "-o", out, "--model", network, "--no-raw").stdout
    assert sorted(path.name for path in Path("of-bundle").iterdir()) == ["index.html", "results.csv", "results.json"]
    assert Path("of-bundle/results.csv").read_text() == Path("of-store/results.csv").read_text()
    text = Path("of-bundle/index.html").read_text()
    assert text.index("<td>b</td>") < text.index("<td>a</td>")
    Path("other.parquet").write_text("x")
    assert "not a bundle" in dlbricks("site", "bundle:other.parquet", "-o", "other", code=2).stderr
    assert not Path("other").exists()


def test_the_split_of_a_network_has_only_extents_of_its_own(dlbricks: Run) -> None:
    """An extent that is stated for another network stands neither on a page nor in the files."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True, hook=TrustHook()) as store:
        _measured(store, "a", {"misc_lstm_lm": 2})
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", 4]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "open", [x], [y])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), "open.onnx")
    models = ("--model", str(_FOLDER / "misc_lstm_lm.onnx"), "--model", "open.onnx", "--dim", "rows=2")
    assert "splitting networks 2 of 2" in dlbricks("site", "-o", "pages", *models, "--no-raw").stderr
    [row] = json.loads(Path("pages/results.json").read_text())
    assert (row["network"], row["split"]) == ("misc_lstm_lm", "-H 1 --target portable")


def test_a_convolution_with_bias_is_shown_as_the_same_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages have the estimate of ``estimate``, and the row of what was measured."""
    parts = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 8, 8]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 8, 8]),
    ]
    weights = [numpy_helper.from_array(np.ones([4, 4, 1, 1], np.float32), "w")]
    weights += [numpy_helper.from_array(np.ones(4, np.float32), "b")]
    for name, operands in (("plain", ["x", "w"]), ("bias", ["x", "w", "b"])):
        node = helper.make_node("Conv", operands, ["y"])
        graph = helper.make_graph([node], name, parts[:1], parts[1:], weights[: len(operands) - 1])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / f"{name}.onnx")
    plain, bias = (network(tmp_path / f"{name}.onnx", SplitSettings(target="portable")) for name in ("plain", "bias"))
    monkeypatch.setitem(_NETWORKS, "plain", plain)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        _measured(store, "a", {"plain": 2})
        networks = [[(SplitSettings(target="portable"), each)] for each in (plain, bias)]
        save_site(tmp_path / "site", store, networks, title="t", now_unix_ns=time.time_ns(), raw=False)
    rows = json.loads((tmp_path / "site" / "results.json").read_text())
    assert {row["network"]: row["latency_ns"] > 0 for row in rows} == {"plain": True, "bias": True}


def test_networks_of_a_ranking_are_those_that_many_systems_share() -> None:
    """One system with few networks leaves the others' ranking as it is; places are ranges where intervals overlap."""
    known, few = [(10.0, 9.0, 11.0)] * 4, [(10.0, 9.0, 11.0), None, None, None]
    assert common_networks([known, few, [*known[:3], None], known]) == [0, 1, 2]
    assert common_networks([[None] * 4, few]) == [0]
    assert common_networks([]) == []
    times: list[Times] = [[(20.0, 18.0, 22.0)], [(10.0, 9.0, 12.0)], [None], [(11.0, 10.0, 13.0)]]
    places = [(place.system, place.first, place.last) for place in ranking(times, [0])]
    assert places == [(1, 1, 2), (3, 1, 2), (0, 3, 3)]
    assert ranking(times, []) == []


def test_an_unknown_low_end_is_no_interval(browser: Chrome, tmp_path: Path) -> None:
    """Not an interval that begins at no time: neither in the drawn ranking nor in that without JavaScript."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for name, low_ns in (("known", 99_000), ("unknown", 0)):
            of = submission(range(3), of=configuration(name))
            first = min(of.results.measurements)
            noisy = msgspec.structs.replace(of.results.measurements[first], low_ns=low_ns, high_ns=200_000 - low_ns)
            measured = {**of.results.measurements, first: noisy}
            store.add(dataclasses.replace(of, results=dataclasses.replace(of.results, measurements=measured)))
        save_site(tmp_path / "site", store, [], title="t", now_unix_ns=time.time_ns(), raw=False)
    _go(browser, tmp_path / "site" / INDEX)
    drawn = until(browser, f"{_ROWS}.length === 2 && {_ROWS}.map(row => row.cells[9].textContent)")
    assert sorted(drawn) == ["99 us to 101 us", "no interval"]
    page = (tmp_path / "site" / INDEX).read_text()
    assert re.findall(r'<td class="number minor">(.*?)</td>', page) in (drawn, drawn[::-1])
    assert page.count(";width:0.0%") == 1


def test_a_change_between_versions_is_marked(browser: Chrome, page: Path) -> None:
    """Versions stand in the order of their numbers, and the one where the level changed is marked."""
    _go(browser, page, "versions")
    until(browser, "document.querySelector('main svg')")
    assert browser.find_element(By.CSS_SELECTOR, "main h3").text == "a, onnxruntime, cpu, 1 thread"
    texts = "[...document.querySelectorAll('main svg text')].map(one => one.textContent)"
    assert browser.execute_script(f"return {texts}")[-4:] == ["1.9.0", "1.10.0", "1.11.0", "1.12.0"]
    changed = browser.find_elements(By.CSS_SELECTOR, "main svg text.changed")
    assert [one.text for one in changed] == ["1.11.0"]


def test_search_keyboard_sorting_and_theme(browser: Chrome, page: Path) -> None:
    """A key goes to the search, which narrows; headings sort by keyboard; light and dark can be switched."""
    _go(browser, page)
    rows = "document.querySelector('main table').querySelectorAll('tbody tr').length"
    assert browser.execute_script(f"return {rows}") > 1
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys("/")
    browser.switch_to.active_element.send_keys("1.11")
    assert until(browser, f"{rows} === 1")
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    browser.execute_script(f"location.hash = 'system?id={_id(browser, 'b')}'")
    until(browser, "document.querySelector('main dl.facts')")
    heading = "[...document.querySelectorAll('main table')].pop().querySelectorAll('th button')[2]"
    browser.execute_script(f"{heading}.focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert until(browser, f"{heading}.closest('th').getAttribute('aria-sort') === 'descending'")
    assert browser.execute_script(f"return document.activeElement === {heading}")
    before = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    browser.find_element(By.ID, "theme").click()
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") != before


def test_everything_is_reached_by_keyboard(browser: Chrome, page: Path) -> None:
    """Tab goes to the content, the pages and every control; choosing by keys keeps the focus where it is."""
    _go(browser, page, "compare")
    until(browser, "document.querySelector('main select')")
    browser.execute_script("document.activeElement.blur(); window.scrollTo(0, 0)")
    reached = []
    for _ in range(16):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        reached.append(
            browser.execute_script("const one = document.activeElement; return one.id || one.hash || one.tagName")
        )
        assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid", (
            reached
        )
    assert reached[:10] == [
        *("#main", "search", "theme", "#ranking", "#networks", "#compare", "#versions", "#submit", "A", "A"),
    ]
    assert reached[10:13] == ["SELECT"] * 3
    assert "INPUT" in reached or "BUTTON" in reached
    browser.execute_script("document.querySelectorAll('main select')[1].focus()")
    before = browser.execute_script("return document.getElementById('answer')?.textContent")
    ActionChains(browser).send_keys(Keys.ARROW_DOWN).perform()
    until(browser, "document.getElementById('answer')?.textContent !== arguments[0]", before)
    assert browser.execute_script("return document.activeElement === document.querySelectorAll('main select')[1]")
    browser.execute_script("document.querySelector('main input[type=checkbox]').focus()")
    ActionChains(browser).send_keys(Keys.SPACE).perform()
    assert until(browser, "document.activeElement.type === 'checkbox' && !document.activeElement.checked")
    browser.execute_script("document.querySelector('.skip').focus()")
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert until(browser, "document.activeElement.id === 'main'")


def test_paper_shows_everything_in_dark_on_light(browser: Chrome, tmp_path: Path) -> None:
    """Long tables are printed whole, what opens is open, letters are dark, no control is left, nothing is cut."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.add(submission(range(500)))
        save_site(tmp_path / "site", store, [], title="t", now_unix_ns=time.time_ns(), raw=False)
    _go(browser, tmp_path / "site" / INDEX)
    browser.find_element(By.CSS_SELECTOR, "td.system a").click()
    until(browser, "document.querySelector('main dl.facts')")
    browser.execute_script("document.documentElement.dataset.theme = 'dark'")
    rows = "[...document.querySelectorAll('main table')].pop().querySelectorAll('tbody tr').length"
    assert browser.execute_script(f"return {rows}") < 500
    seen = "rows: document.querySelectorAll('main tbody tr').length, ink: getComputedStyle(document.body).color"
    browser.execute_script(f"addEventListener('beforeprint', () => {{ window.printed = {{ {seen} }}; }})")
    made = browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    assert len(base64.b64decode(made["data"])) > 50_000
    printed = browser.execute_script("return window.printed")
    assert printed["rows"] >= 500
    assert max(map(int, re.findall(r"\d+", printed["ink"])[:3])) < 80
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    size = {"width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 720
    for control in ("nav", "#search", "#theme"):
        assert not browser.find_element(By.CSS_SELECTOR, control).is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_raw_files_and_signatures_can_be_checked_by_others(tmp_path: Path) -> None:
    """Results lie beside the page as they came in: what was signed is the same to the byte, and its signature holds."""
    made, key = document(), new_key(tmp_path / "key")
    data = b"\n" + canonical_json(made)
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        for sent, signature in ((data, sign(data, key)), (canonical_json(_named(document(seed=4), _AWKWARD)), "")):
            submit(store, sent, suite=suite(sequences=4), options=SubmitOptions(signature=signature))
        counts = save_site(tmp_path / "site", store, [], title="t", now_unix_ns=time.time_ns())
        assert (counts["systems"], counts["results"]) == (2, 2)
        kept = {one.configuration.system: one.digest for one in store.history.submissions()}
    raw = tmp_path / "site" / "raw"
    content = gzip.decompress((raw / f"{kept['quiet-9000']}.json.gz").read_bytes())
    signature = (raw / f"{kept['quiet-9000']}.json.sig").read_text()
    assert content == data
    assert signer(content, signature).startswith("SHA256:")
    other = json.loads(gzip.decompress((raw / f"{kept[_AWKWARD]}.json.gz").read_bytes()))
    assert other["system"]["name"] == _AWKWARD
    text = (tmp_path / "site" / INDEX).read_text(encoding="utf-8")
    assert "Quiet Processor 9000" in text
    assert "dlbricks run made-up -o result.json" in text
    content = json.loads(re.search(r'id="content">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    assert [shlex.split(one["commands"][0])[-1] for one in content["systems"]] == [_AWKWARD, "quiet-9000"]


def _named(made: dict[str, Any], name: str) -> dict[str, Any]:
    return {**made, "system": {**made["system"], "name": name}}


def test_no_text_of_others_moves_the_terminal(dlbricks: Run, tmp_path: Path) -> None:
    """Every verb that shows results of others prints no control character, whatever their texts hold."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True, hook=TrustHook()) as store:
        one = _nasty()
        store.add(one)
        store.add(dataclasses.replace(_nasty(), digest="e" * 64))
        store.history.withdraw("e" * 12, NASTY)
        store.history.set_trust(one.digest, "audited", NASTY)
    name = one.results.configuration.system
    printed = [
        dlbricks(*words)
        for words in (
            ("systems",), ("systems", "--all"), ("query",), ("suites",), ("compare", name, name),
            ("withdraw", "e" * 12, "--reason", NASTY), ("site", "-o", str(tmp_path / "pages"), "--no-raw"),
        )
    ]  # fmt: skip
    printed.append(dlbricks("compare", name, NASTY * 2, code=2))
    for made in printed:
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", made.output), made.output


def test_the_folder_of_the_pages_is_not_somebody_elses(dlbricks: Run, tmp_path: Path) -> None:
    """Pages replace older pages, and never another folder; an empty store is said in a line."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True, hook=TrustHook()) as store:
        assert "has no result" in dlbricks("site", "-o", "pages", code=2).stderr
        store.add(submission(range(3)))
    for _ in range(2):
        assert "1 system, 3 sequences" in dlbricks("site", "-o", "pages", "--no-raw").stdout
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    assert "has files that 'dlbricks site' did not write" in dlbricks("site", "-o", "other", code=2).stderr
    assert (tmp_path / "other" / "file").is_file()


def test_a_damaged_store_is_said_in_a_line(tmp_path: Path) -> None:
    """Nothing is written where a result cannot be given back."""
    with ResultStore.open("sqlite://", create=True, hook=TrustHook()) as store:
        store.add(submission(range(2)))
        with pytest.raises(InputError, match="is damaged"):
            save_site(tmp_path / "site", store, [], title="t", now_unix_ns=_NOW)
    assert not (tmp_path / "site").exists()
