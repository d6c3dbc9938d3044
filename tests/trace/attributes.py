"""The names of attributes that ``dlbricks/trace/kinds.py`` documents."""

import re
from pathlib import Path

from dlbricks.trace import kinds

ATTRIBUTES = frozenset(re.findall(r"^# (\w+): ", Path(kinds.__file__).read_text(encoding="utf-8"), re.MULTILINE))
