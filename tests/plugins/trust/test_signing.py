"""Signatures: what holds, what does not, and that any ssh-keygen can make and check them."""

import subprocess
from pathlib import Path

import pytest

from dlbricks.errors import CheckError, InputError, MissingDependencyError
from dlbricks.plugins.trust.signing import NAMESPACE, sign, signer
from dlbricks.store.history import read_signature
from tests.store.stored import new_key


def _made_by_hand(folder: Path, key: Path, data: bytes, *, namespace: str = NAMESPACE) -> str:
    """Sign as a vendor does who has OpenSSH alone."""
    (folder / "file").write_bytes(data)
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", namespace, str(folder / "file")]
    subprocess.run(command, check=True, capture_output=True)
    return read_signature(folder / "file.sig")


def test_a_signature_names_its_key(tmp_path: Path) -> None:
    """Made here or by hand, a signature names the key as ``ssh-keygen -l`` does, and another key another one."""
    key, other = new_key(tmp_path / "a"), new_key(tmp_path / "b")
    listed = subprocess.run(["ssh-keygen", "-lf", f"{key}.pub"], check=True, capture_output=True, text=True).stdout
    assert signer(b"data", sign(b"data", key)) == listed.split()[1]
    assert signer(b"data", _made_by_hand(tmp_path, key, b"data")) == listed.split()[1]
    assert signer(b"data", sign(b"data", other)) != listed.split()[1]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    """Give some content with its signature."""
    return b'{"a": 1}', sign(b'{"a": 1}', new_key(tmp_path_factory.mktemp("keys") / "key"))


def test_a_changed_signature_does_not_hold(signed: tuple[bytes, str]) -> None:
    """Wherever a letter of a signature is another one, it does not hold."""
    data, made = signed
    begin, end = made.index("\n") + 1, made.index("==")
    for place in range(begin, end - 1, 37):
        letter = "A" if made[place] != "A" else "B"
        with pytest.raises(CheckError):
            signer(data, made[:place] + letter + made[place + 1 :])


def test_what_is_not_signed_does_not_hold(signed: tuple[bytes, str], tmp_path: Path) -> None:
    """Other content, a signature for another purpose, none at all, and a weaker kind of key are refused."""
    data, made = signed
    with pytest.raises(CheckError, match="the signature is not valid"):
        signer(data + b" ", made)
    for text in (
        "",
        "no signature",
        "x" * 20_000,
        "-----BEGIN SSH SIGNATURE-----\n\x1b[31m\n-----END SSH SIGNATURE-----\n",
    ):
        with pytest.raises(CheckError, match="signature"):
            signer(data, text)
    key = new_key(tmp_path / "key")
    with pytest.raises(CheckError, match="the signature is not valid"):
        signer(data, _made_by_hand(tmp_path, key, data, namespace="git"))
    weak = new_key(tmp_path / "weak", kind="ecdsa")
    with pytest.raises(CheckError, match="keys of type ECDSA are not accepted"):
        sign(data, weak)


def test_bad_keys_and_files_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, a file that is none, no signature, and no ssh-keygen are said in one line."""
    (tmp_path / "no key").write_text("nothing")
    (tmp_path / "no key").chmod(0o600)
    (tmp_path / "large").write_bytes(b"x" * 20_000)
    (tmp_path / "binary").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"missing does not exist: create it with 'ssh-keygen -t ed25519 -f .*'"):
        sign(b"", tmp_path / "missing")
    with pytest.raises(InputError, match="cannot sign with") as refused:
        sign(b"", tmp_path / "no key")
    assert "\n" not in str(refused.value)
    for name, why in (("missing", "No such file"), ("large", "larger than 16 KiB"), ("binary", "not text")):
        with pytest.raises(InputError, match=why):
            read_signature(tmp_path / name)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingDependencyError, match="install OpenSSH"):
        signer(b"", "")
