"""Every test has a store of its own; none reaches the user's."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dlbricks.cli.app import main
from tests.cli.invoking import Run
from tests.documents import printed


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point the default store and the home folder into the test's own folder."""
    monkeypatch.setenv("DLBRICKS_STORE", f"sqlite:///{tmp_path / 'store.sqlite'}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def dlbricks() -> Run:
    """Run a command in this process; ``exit_code``, ``stdout`` and ``stderr`` tell what came of it.

    What ``--json`` prints is held against its schema.
    """

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
        assert result.exit_code == code, result.output
        if "--json" in arguments and result.stdout:
            printed(result.stdout)
        return result

    return run
