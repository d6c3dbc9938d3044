"""Pages in a real browser: nothing is asked of the network, nothing is complained of, everything answers."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from dlbricks.report.panels import save_report
from dlbricks.trace.types import Profile
from tests.report.browser import browsing, complaints, opened, requests, until
from tests.report.made_up_profile import made_up_profile

DASH = "\N{EN DASH}"
"""What stands where there is no figure."""
NASTY = "net</script><script>window.broken=1</script>&<b>"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for all tests of this file."""
    yield from browsing(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two networks, one with kernels."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    first = made_up_profile("first", ("M", "ML", "MLK"), (1, 2), notes=("something could not be had",))
    save_report(path, "A report", [first, made_up_profile(NASTY, ("M", "ML"), (1,), layers=250)])
    return path


@pytest.fixture
def shown(browser: Chrome, page: Path) -> Chrome:
    """The browser with the page freshly opened at the first network."""
    opened(browser, page)
    browser.find_elements(By.CSS_SELECTOR, "[role=tab]")[1].click()
    return browser


def panel(browser: Chrome) -> str:
    """Return the selector of the panel that is open."""
    return f"#{browser.find_element(By.CSS_SELECTOR, 'section:not([hidden])').get_attribute('id')}"


def first_cells(browser: Chrome, table: str, column: int) -> list[str]:
    """Return the texts of a column as it is shown."""
    rows = "[...document.querySelectorAll(arguments[0] + ' tbody tr')]"
    return list(browser.execute_script(f"return {rows}.map(row => row.cells[arguments[1]].textContent)", table, column))


def test_all_charts_are_drawn_without_a_complaint(shown: Chrome) -> None:
    """Every chart of a network has its drawing once it has been in view; the console stays empty."""
    here = panel(shown)
    charts = shown.find_elements(By.CSS_SELECTOR, f"{here} .chart")
    assert len(charts) > 8
    for chart in charts:
        shown.execute_script("arguments[0].scrollIntoView()", chart)
        until(shown, "arguments[0].dataset.drawn", chart)
        marks = chart.find_elements(By.CSS_SELECTOR, ".cartesianlayer .points path, .cartesianlayer .lines path")
        assert marks, chart.get_attribute("aria-label")
    assert complaints(shown) == []


def test_nothing_is_asked_of_the_network(browser: Chrome, page: Path) -> None:
    """The page asks for itself and for nothing else, and forbids itself to."""
    opened(browser, page)
    for tab in browser.find_elements(By.CSS_SELECTOR, "[role=tab]"):
        tab.click()
        until(browser, "document.querySelector('section:not([hidden]) .chart').dataset.drawn")
    assert [url for url in requests(browser) if not url.startswith(("data:", "blob:"))] == [page.resolve().as_uri()]
    policy = browser.find_element(By.CSS_SELECTOR, "meta[http-equiv=Content-Security-Policy]")
    assert "default-src 'none'" in str(policy.get_attribute("content"))


def test_headers_sort_and_say_so(shown: Chrome) -> None:
    """A header sorts by its column, numbers largest first, again the other way; aria-sort tells which."""
    table = f"{panel(shown)}-A3"
    shown.execute_script("document.querySelector(arguments[0]).open = true", table)
    head = until(shown, "document.querySelector(arguments[0] + ' thead tr')", table)
    latency = next(cell for cell in head.find_elements(By.TAG_NAME, "th") if cell.text.startswith("latency"))
    column = head.find_elements(By.TAG_NAME, "th").index(latency)
    before = first_cells(shown, table, column)
    latency.find_element(By.TAG_NAME, "button").click()
    assert latency.get_attribute("aria-sort") == "descending"
    down = [float(text.replace(",", "")) for text in first_cells(shown, table, column)]
    assert down == sorted(down, reverse=True)
    latency.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    assert latency.get_attribute("aria-sort") == "ascending"
    assert first_cells(shown, table, column) == sorted(before, key=lambda text: float(text.replace(",", "")))
    others = [cell.get_attribute("aria-sort") for cell in head.find_elements(By.TAG_NAME, "th") if cell != latency]
    assert set(others) == {"none"}


def test_missing_cells_come_last_both_ways(shown: Chrome) -> None:
    """A cell without a figure is shown as a dash and is neither largest nor smallest."""
    table = f"{panel(shown)}-overhead"
    shown.execute_script("document.querySelector(arguments[0]).open = true", table)
    head = until(shown, "document.querySelector(arguments[0] + ' thead tr')", table)
    titles = [cell.text for cell in head.find_elements(By.TAG_NAME, "th")]
    column = next(place for place, text in enumerate(titles) if text.startswith("added"))
    for _ in range(2):
        head.find_elements(By.TAG_NAME, "th")[column].find_element(By.TAG_NAME, "button").click()
        texts = first_cells(shown, table, column)
        assert DASH in texts
        assert all(text == DASH for text in texts[texts.index(DASH) :])


def test_rows_can_be_filtered_and_long_tables_opened(browser: Chrome, page: Path) -> None:
    """The first 200 rows are shown, all on request; a text leaves the rows that contain it."""
    opened(browser, page)
    browser.find_elements(By.CSS_SELECTOR, "[role=tab]")[2].click()
    table = f"{panel(browser)}-A3"
    browser.execute_script("document.querySelector(arguments[0]).open = true", table)
    until(browser, "document.querySelector(arguments[0] + ' table')", table)
    assert len(first_cells(browser, table, 0)) == 200
    browser.find_element(By.CSS_SELECTOR, f"{table} .frame + button").click()
    assert len(first_cells(browser, table, 0)) == 250
    browser.find_element(By.CSS_SELECTOR, f"{table} input").send_keys("softmax_7")
    assert first_cells(browser, table, 1) == ["/block0/softmax_7", "/block8/softmax_71", "/block9/softmax_79"]


def test_the_timeline_zooms(shown: Chrome) -> None:
    """Keys and buttons change what is in view, within the trace; 0 shows all of it."""
    shown.execute_script("document.querySelector(arguments[0] + ' .timeline').scrollIntoView()", panel(shown))
    canvas = until(shown, "document.querySelector(arguments[0] + ' .view canvas[data-drawn]')", panel(shown))

    def view() -> tuple[int, int, int]:
        until(shown, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        data = {name: int(str(canvas.get_attribute(f"data-{name}"))) for name in ("from", "to", "drawn")}
        return data["from"], data["to"], data["drawn"]

    first, last, drawn = view()
    assert drawn > 10
    canvas.send_keys("+")
    closer = view()
    assert abs((closer[1] - closer[0]) * 2 - (last - first)) <= 2
    canvas.send_keys(Keys.ARROW_RIGHT)
    assert view()[0] > closer[0]
    canvas.send_keys("0")
    whole = view()
    assert whole[0] == 0
    assert whole[1] - whole[0] > last - first
    canvas.send_keys("p")
    shown.find_element(By.CSS_SELECTOR, f"{panel(shown)} .timeline .bar button").click()
    assert view()[1] <= whole[1]
    assert complaints(shown) == []


def test_the_page_opens_with_where_the_time_goes(shown: Chrome) -> None:
    """The screen of analyse stands before everything else: its lines, its two tables, a bar of the shares."""
    lead = shown.find_element(By.CSS_SELECTOR, f"{panel(shown)} .lead")
    lines = [line.text for line in lead.find_elements(By.TAG_NAME, "p")]
    assert "per call, median of" in lines[0]
    assert lines[1].startswith("device: compute ")
    assert any(line.startswith("critical path of the call") for line in lines)
    captions = [caption.text for caption in lead.find_elements(By.TAG_NAME, "caption")]
    assert [caption.split()[0] for caption in captions] == ["kernels", "operators"]
    words = [word.get_attribute("textContent") for word in lead.find_elements(By.CSS_SELECTOR, ".uses i")]
    assert {"compute", "idle"} <= set(words)


def test_spans_are_searched_and_show_their_stack(shown: Chrome) -> None:
    """A text counts the spans that contain it, Enter goes to one; the tip of a kernel names what launched it."""
    shown.execute_script("document.querySelector(arguments[0] + ' .timeline').scrollIntoView()", panel(shown))
    canvas = until(shown, "document.querySelector(arguments[0] + ' .view canvas[data-drawn]')", panel(shown))
    box = shown.find_element(By.CSS_SELECTOR, f"{panel(shown)} .timeline input")
    box.send_keys("softmax_7")
    assert canvas.get_attribute("data-found") == "5"
    state = shown.find_element(By.CSS_SELECTOR, f"{panel(shown)} .timeline output[role=status]")
    assert state.text.startswith("5 spans, ")
    before = canvas.get_attribute("data-from")
    box.send_keys(Keys.ENTER)
    until(shown, "arguments[0].dataset.from !== arguments[1]", canvas, before)
    tip = shown.execute_script(
        """const [canvas] = arguments, box = canvas.getBoundingClientRect();
        const tip = document.querySelector('section:not([hidden]) .tip');
        for (let y = 0; y < box.height; y += 4) {
          canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.x + box.width / 2, clientY: box.y + y}));
          if (tip.textContent.includes('_kernel<') && !tip.hidden) return tip.textContent;
        }""",
        canvas,
    )
    assert "call > /block0/softmax_7 > cudaLaunchKernel" in tip
    assert complaints(shown) == []


def test_the_graph_of_a_network_is_laid_out(browser: Chrome, page: Path) -> None:
    """Layers stand below those that they read from, none on another; search, zoom and the longest layers answer."""
    opened(browser, page)
    browser.find_elements(By.CSS_SELECTOR, "[role=tab]")[2].click()
    here = f"{panel(browser)} .graph"
    browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", here)
    picture = until(browser, "document.querySelector(arguments[0] + ' svg[data-drawn]')", here)
    boxes = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0] + ' .layer')].map(one => one.transform.baseVal[0].matrix)"
        ".map(place => [Math.round(place.e), Math.round(place.f)])",
        here,
    )
    assert picture.get_attribute("data-drawn") == str(len(boxes)) == "250"
    assert all(low > high for (_, high), (_, low) in itertools.pairwise(boxes))
    texts = [one.get_attribute("textContent") for one in browser.find_elements(By.CSS_SELECTOR, f"{here} .type")]
    assert texts[:3] == ["Conv", "Relu", "Conv"]
    browser.find_element(By.CSS_SELECTOR, f"{here} input").send_keys("softmax_7")
    assert len(browser.find_elements(By.CSS_SELECTOR, f"{here} .layer:not(.faded)")) == 3
    browser.find_element(By.CSS_SELECTOR, f"{here} input").send_keys(Keys.ENTER)
    assert "1 of 3 by time" in browser.find_element(By.CSS_SELECTOR, f"{here} output").text
    assert len(browser.find_elements(By.CSS_SELECTOR, f"{here} .chosen")) == 1
    scale = float(str(picture.get_attribute("data-scale")))
    picture.send_keys("+")
    assert float(str(picture.get_attribute("data-scale"))) > scale
    picture.send_keys("0")
    assert float(str(picture.get_attribute("data-scale"))) < scale
    assert complaints(browser) == []


def test_paper_has_every_drawing_within_its_edges(browser: Chrome, page: Path) -> None:
    """What was never scrolled to is printed, of every network, dark on light; afterwards the page is as before."""
    opened(browser, page)
    browser.execute_script("document.documentElement.dataset.theme = 'dark'")
    browser.execute_script(
        """addEventListener('beforeprint', () => {
          const all = (what) => [...document.querySelectorAll(what)];
          const right = (one) => one.getBoundingClientRect().right;
          window.printed = {
            charts: all('.chart').length, drawn: all('.chart:has(.cartesianlayer .trace)').length,
            timelines: all('.timeline .view canvas[data-drawn]').length, graphs: all('.graph svg[data-drawn]').length,
            right: Math.max(...all('.chart .main-svg, .timeline canvas, .graph svg').map(right)),
            ink: getComputedStyle(document.body).color, left: all('.panel').map(one => one.hidden),
          };
        })"""
    )
    browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    printed = browser.execute_script("return window.printed")
    assert printed["charts"] > 15
    assert printed["drawn"] == printed["charts"]
    assert (printed["timelines"], printed["graphs"]) == (2, 2)
    assert printed["right"] <= 700
    assert printed["ink"] == "rgb(31, 41, 51)"
    assert not any(printed["left"])
    assert browser.execute_script("return [...document.querySelectorAll('.panel')].map(one => one.hidden)") == [
        False,
        True,
        True,
    ]
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    assert until(browser, "document.querySelector('section:not([hidden]) .chart .main-svg').clientWidth > 500")
    assert complaints(browser) == []


def test_light_and_dark(shown: Chrome) -> None:
    """The button changes the ground of the page and the ink of charts that are already drawn."""
    until(shown, "document.querySelector(arguments[0] + ' .chart').dataset.drawn", panel(shown))
    ink = "document.querySelector('section:not([hidden]) .xtick text').style.fill"
    seen = f"[getComputedStyle(document.body).backgroundColor, {ink}]"
    before = until(shown, seen)
    shown.find_element(By.ID, "theme").click()
    until(shown, f"({seen})[1] !== arguments[0]", before[1])
    assert until(shown, seen)[0] != before[0]


def test_tabs_move_with_the_arrows(browser: Chrome, page: Path) -> None:
    """One panel is open at a time; arrow keys open its neighbours, round the ends."""
    opened(browser, page)
    tabs = browser.find_elements(By.CSS_SELECTOR, "[role=tab]")
    assert [tab.text for tab in tabs] == ["All profiles", "first", NASTY]
    tabs[0].send_keys(Keys.ARROW_LEFT)
    assert [tab.get_attribute("aria-selected") for tab in tabs] == ["false", "false", "true"]
    assert len(browser.find_elements(By.CSS_SELECTOR, "section:not([hidden])")) == 1
    tabs[2].send_keys(Keys.ARROW_RIGHT)
    assert tabs[0].get_attribute("aria-selected") == "true"


def test_names_cannot_become_code(browser: Chrome, page: Path) -> None:
    """A network whose name is a script is shown by its name, and nothing of it runs."""
    opened(browser, page)
    assert browser.execute_script("return window.broken === undefined")
    assert browser.find_elements(By.TAG_NAME, "h2")[2].get_attribute("textContent") == NASTY


def test_a_page_is_a_pure_function_of_its_profiles(tmp_path: Path) -> None:
    """The same profiles give the same bytes; one profile alone has no tabs."""
    profile: Profile = replace(made_up_profile("one", ("M", "ML"), (1,)), notes=())
    for name in ("a.html", "b.html"):
        save_report(tmp_path / name, "t", [profile])
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.html").read_text(encoding="utf-8")
    assert '<nav role="tablist"' not in text
    content = text.partition('id="content">')[2].partition("</script>")[0]
    assert [one["id"] for one in json.loads(content)["panels"]] == ["panel-0"]
