"""Makes the README's links absolute in the package's metadata, since an index shows the page without the files."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class AbsoluteLinks(MetadataHookInterface):
    """The field ``readme``: README.md with addresses in the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the field."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        main = f"{metadata['urls']['Repository']}/%s/main/"
        text = re.sub(r"(!\[[^]]*\]\()(?![a-z]+:|#)", rf"\1{main % 'raw'}", text)
        text = re.sub(r"(?<!!)(\[[^]]*\]\()(?![a-z]+:|#)", rf"\1{main % 'blob'}", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
