"""Packs files as a suite or as a challenge is packed, whatever their names and contents."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping


def unzipped(data: bytes) -> dict[str, bytes]:
    """Give the files of a zip archive by their places."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files as a challenge is packed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def packed(files: Mapping[str, bytes]) -> bytes:
    """Pack files as a suite is packed."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", errors="surrogateescape") as archive,
    ):
        for name, data in files.items():
            info = tarfile.TarInfo(f"suite/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()
