"""A real browser without a window that looks at pages, and refuses to hear of the network."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
ABSENT = "no chromium with chromedriver on this machine: install Debian's chromium and chromium-driver"
_PATIENCE_S = 120
"""How long a busy machine may take for what has to happen."""
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)


def browsing(folder: Path, *flags: str) -> Iterator[Chrome]:
    """Start a browser of its own, and end it.

    Args:
        folder: empty; for the browser's own files.
        flags: more of them.
    """
    if not (CHROMIUM and DRIVER):
        pytest.skip(ABSENT)
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*_FLAGS, f"--user-data-dir={folder}", "--window-size=1440,1000", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options, service=Service(DRIVER, log_output=os.devnull))
    browser.set_script_timeout(_PATIENCE_S)
    try:
        yield browser
    finally:
        browser.quit()


def _log(browser: Chrome, kind: str) -> list[dict[str, Any]]:
    """Take what the browser has told since it was asked last."""
    return list(browser.get_log(kind))  # type: ignore[no-untyped-call]


def opened(browser: Chrome, path: Path) -> None:
    """Open a page and forget what the browser told before."""
    _log(browser, "browser")
    _log(browser, "performance")
    browser.get(path.resolve().as_uri())


def until(browser: Chrome, script: str, *arguments: Any) -> Any:
    """Wait until a piece of JavaScript gives something true, and give it."""
    return WebDriverWait(browser, _PATIENCE_S, poll_frequency=0.05).until(
        lambda here: here.execute_script(f"return {script}", *arguments)
    )


def complaints(browser: Chrome) -> list[str]:
    """Return what the page wrote to the console since it was opened: errors and warnings."""
    return [entry["message"] for entry in _log(browser, "browser") if entry["level"] in {"SEVERE", "WARNING"}]


def requests(browser: Chrome) -> list[str]:
    """Return every address that the page itself asked for since it was opened, its own among them."""
    messages = [json.loads(entry["message"])["message"] for entry in _log(browser, "performance")]
    sent = [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]
    here = browser.current_url.partition("#")[0]
    return [one["request"]["url"] for one in sent if one["documentURL"].partition("#")[0] == here]
