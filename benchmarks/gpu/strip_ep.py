"""Keep the machine code of one architecture in onnxruntime's CUDA library: ``strip_ep.py FILE OUT 90``.

The payloads of other architectures become zeros, which compress to nothing: 231 MB become 51. The library loads and
runs on a GPU of that architecture (compute capability 9.0 for 90).
"""

import struct
import sys
from pathlib import Path

# A fat binary: magic, version, size of this header, and size of the entries that follow it.
_FAT, _MAGIC = struct.Struct("<IHHQ"), struct.pack("<I", 0xBA55ED50)
# Entry of a fat binary: kind, size of this header, size of its payload, and architecture; the rest is not needed.
_ENTRY = struct.Struct("<H2xIQ8x4xI")


def stripped(library: bytes, keep: int) -> tuple[bytes, int, int]:
    """Return a library whose payloads of other architectures are zeros, and the bytes that were kept and zeroed."""
    data, at, sizes = bytearray(library), library.find(_MAGIC), [0, 0]
    while at >= 0:
        _, _, header, size = _FAT.unpack_from(library, at)
        end = at + header + size
        if header != _FAT.size or end > len(library):  # the magic number by chance
            at = library.find(_MAGIC, at + len(_MAGIC))
            continue
        entry = at + header
        while entry < end:
            _, own, payload, architecture = _ENTRY.unpack_from(library, entry)
            if own < _ENTRY.size:
                break
            other = architecture != keep
            sizes[other] += payload
            if other:
                data[entry + own : entry + own + payload] = bytes(payload)
            entry += own + payload
        at = library.find(_MAGIC, end)
    return bytes(data), sizes[0], sizes[1]


def main() -> int:
    """Write the stripped library; give 1 if it holds no code of that architecture."""
    source, out, keep = sys.argv[1:4]
    data, kept, zeroed = stripped(Path(source).read_bytes(), int(keep))
    Path(out).write_bytes(data)
    print(f"{kept / 1e6:.0f} MB kept, {zeroed / 1e6:.0f} MB zeroed")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
