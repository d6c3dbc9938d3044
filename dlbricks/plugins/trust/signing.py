"""Detached signatures of files by OpenSSH (``ssh-keygen -Y``), for existing SSH keys.

A signature is the armoured text of OpenSSH's PROTOCOL.sshsig over the bytes of the file. Its namespace is ``dlbricks``,
so that signatures for other purposes (git, mail) are not accepted.
"""

import base64
import hashlib
import re
import subprocess
import tempfile
from pathlib import Path

from dlbricks.errors import CheckError, InputError, MissingDependencyError
from dlbricks.limits import SIGNATURE_BYTES, SIGNATURE_SECONDS

NAMESPACE = "dlbricks"
# Accepted types of keys: Ed25519, in a file or in a security key.
KEY_KINDS = ("ED25519", "ED25519-SK")

# Names of ``KEY_KINDS`` in public key files.
_PUBLIC_KINDS = ("ssh-ed25519", "sk-ssh-ed25519@openssh.com")
_GOOD = re.compile(
    rf'Good "{NAMESPACE}" signature with (?P<kind>[A-Z0-9-]+) key (?P<key>SHA256:[A-Za-z0-9+/]{{43}})\s*'
)


def sign(data: bytes, key: Path) -> str:
    """Return the signature of a file's content.

    ``key`` is a private key file, or the public key of a key in an SSH agent. Raises ``MissingDependencyError`` without
    ssh-keygen, and ``InputError`` if the key cannot be used or its type is not in ``KEY_KINDS``.
    """
    if not key.is_file():
        raise InputError(f"{key} does not exist: create it with 'ssh-keygen -t ed25519 -f {key}'")
    done = _ssh_keygen("sign", "-f", str(key), data=data)
    if done.returncode:
        raise InputError(f"cannot sign with {key}: {_message(done)}")
    signature = done.stdout.decode("ascii", "replace")
    signer(data, signature)
    return signature


def signer(data: bytes, signature: str) -> str:
    """Verify a signature of a file's content and return the fingerprint of its key, as in ``SHA256:2sdq...``.

    Raises ``CheckError`` if the signature is damaged or for other content, or if the key's type is not permitted.
    """
    if len(signature) > SIGNATURE_BYTES:
        raise CheckError("the signature is refused: it is larger than 16 KiB")
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        path = Path(folder) / "signature"
        path.write_text(signature, encoding="utf-8", newline="\n")
        done = _ssh_keygen("check-novalidate", "-s", str(path), data=data, limit_s=SIGNATURE_SECONDS)
    good = _GOOD.fullmatch(done.stdout.decode("utf-8", "replace"))
    if done.returncode or good is None:
        raise CheckError(f"the signature is not valid: {_message(done)}")
    if good["kind"] not in KEY_KINDS:
        raise CheckError(f"keys of type {good['kind']} are not accepted: sign with a key from 'ssh-keygen -t ed25519'")
    return good["key"]


def fingerprint_of(key: Path) -> str:
    """Return the fingerprint of a public key file; raises ``InputError`` if its type is not in ``KEY_KINDS``."""
    try:
        with key.open(encoding="ascii") as stream:
            kind, _, rest = stream.readline(SIGNATURE_BYTES).partition(" ")
        blob = base64.b64decode(rest.split()[0] if rest.split() else "", validate=True)
    except OSError as error:
        raise InputError(f"cannot read key {key}: {error.strerror or error}") from error
    except ValueError:
        kind, blob = "", b""
    if kind not in _PUBLIC_KINDS or not blob.startswith(len(kind).to_bytes(4) + kind.encode()):
        raise InputError(f"{key} is not a public Ed25519 key: name the file that ends with .pub")
    return f"SHA256:{base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip('=')}"


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


def _message(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first line of ssh-keygen's error message."""
    lines = (done.stderr + done.stdout).decode("utf-8", "replace").split("\n")
    return next(
        (line.strip().rstrip(".") for line in lines if line.strip()), f"ssh-keygen ended with {done.returncode}"
    )
