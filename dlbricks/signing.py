"""Signatures of files as OpenSSH makes them (``ssh-keygen -Y``): whoever has a key for ssh needs nothing else.

What is signed is the bytes of a file as they are, so no canonical form is needed and any ssh-keygen can check it. A
signature is the armoured text of OpenSSH's PROTOCOL.sshsig; its namespace says that it is meant for dlbricks, so that
none made for something else (git, mail) counts here, and each kind of file says in its ``format`` what it is.
"""

import base64
import hashlib
import re
import subprocess
import tempfile
from pathlib import Path

from dlbricks.errors import CheckError, InputError, MissingDependencyError
from dlbricks.files import write_text

NAMESPACE = "dlbricks"
SUFFIX = ".sig"
"""What ``ssh-keygen`` adds to the name of a file for that of its signature."""
KEY_KINDS = ("ED25519", "ED25519-SK")
"""Kinds of keys that count: Ed25519, in a file or in a security key."""

_PUBLIC_KINDS = ("ssh-ed25519", "sk-ssh-ed25519@openssh.com")
"""What ``KEY_KINDS`` are called in files of public keys."""
_LONGEST = 1 << 14
_CHECK_S = 60
_GOOD = re.compile(
    rf'Good "{NAMESPACE}" signature with (?P<kind>[A-Z0-9-]+) key (?P<key>SHA256:[A-Za-z0-9+/]{{43}})\s*'
)


def sign(data: bytes, key: Path) -> str:
    """Sign the content of a file.

    Args:
        data: the content.
        key: file of a private key, or of a public one whose private one an agent holds; ssh-keygen asks for a
            passphrase on the terminal where there is one.

    Returns:
        The signature.

    Raises:
        InputError: the key cannot be used, or is not of ``KEY_KINDS``.
        MissingDependencyError: there is no ssh-keygen.
    """
    if not key.is_file():
        raise InputError(f"there is no key {key}: 'ssh-keygen -t ed25519 -f {key}' makes one")
    done = _ssh_keygen("sign", "-f", str(key), data=data)
    if done.returncode:
        raise InputError(f"cannot sign with {key}: {_said(done)}")
    made = done.stdout.decode("ascii", "replace")
    signer(data, made)
    return made


def signer(data: bytes, signature: str) -> str:
    """Give the key that signed the content of a file, by its fingerprint as in ``SHA256:2sdq...``.

    Args:
        data: the content.
        signature: as ``sign`` or ``ssh-keygen -Y sign -n dlbricks`` made it.

    Raises:
        CheckError: the signature is not of this content, is damaged, or is of a kind of key that does not count.
        MissingDependencyError: there is no ssh-keygen.
    """
    if len(signature) > _LONGEST:
        raise CheckError("the signature is refused: it is larger than 16 KiB")
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        path = Path(folder) / "signature"
        path.write_text(signature, encoding="utf-8", newline="\n")
        done = _ssh_keygen("check-novalidate", "-s", str(path), data=data, limit_s=_CHECK_S)
    found = _GOOD.fullmatch(done.stdout.decode("utf-8", "replace"))
    if done.returncode or found is None:
        raise CheckError(f"the signature does not hold: {_said(done)}")
    if found["kind"] not in KEY_KINDS:
        raise CheckError(f"the signature is of a key of kind {found['kind']}: use one of 'ssh-keygen -t ed25519'")
    return found["key"]


def fingerprint_of(key: Path) -> str:
    """Give the fingerprint of a public key, as in ``SHA256:2sdq...``.

    Args:
        key: its file, as ssh-keygen writes it: ``KEY.pub``.

    Raises:
        InputError: it cannot be read, or holds no public key of ``KEY_KINDS``.
    """
    try:
        with key.open(encoding="ascii") as stream:
            kind, _, rest = stream.readline(_LONGEST).partition(" ")
        blob = base64.b64decode(rest.split()[0] if rest.split() else "", validate=True)
    except OSError as error:
        raise InputError(f"cannot read key {key}: {error.strerror or error}") from error
    except ValueError:
        kind, blob = "", b""
    if kind not in _PUBLIC_KINDS or not blob.startswith(len(kind).to_bytes(4) + kind.encode()):
        raise InputError(f"{key} is no public Ed25519 key: name the file that ends with .pub")
    return f"SHA256:{base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip('=')}"


def read_signature(path: Path) -> str:
    """Read the file of a signature.

    Raises:
        InputError: it cannot be read, or is too large to be one.
    """
    try:
        if path.stat().st_size > _LONGEST:
            raise InputError(f"{path} is no signature: it is larger than 16 KiB")
        return path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no signature: it is not text") from error
    except OSError as error:
        raise InputError(f"cannot read signature {path}: {error.strerror or error}") from error


def signature_of(path: Path, data: bytes, key: Path | None) -> str:
    """Give the signature of a file: made with a key and written beside it, or the one beside it; empty without either.

    Raises:
        InputError: the key cannot be used, or the signature cannot be read or written.
    """
    beside = path.with_name(path.name + SUFFIX)
    if key is None:
        return read_signature(beside) if beside.is_file() else ""
    made = sign(data, key)
    write_text(beside, made)
    return made


def _ssh_keygen(
    verb: str, *options: str, data: bytes, limit_s: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = ["ssh-keygen", "-Y", verb, "-n", NAMESPACE, *options]
    try:
        return subprocess.run(command, input=data, capture_output=True, check=False, timeout=limit_s)
    except FileNotFoundError as error:
        raise MissingDependencyError("signatures need ssh-keygen: install OpenSSH 8.2 or newer") from error
    except subprocess.TimeoutExpired as error:
        raise CheckError(f"the signature is refused: ssh-keygen took more than {limit_s:.0f} s") from error


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """Give what ssh-keygen complained of, in a line."""
    lines = (done.stderr + done.stdout).decode("utf-8", "replace").split("\n")
    return next(
        (line.strip().rstrip(".") for line in lines if line.strip()), f"ssh-keygen ended with {done.returncode}"
    )
