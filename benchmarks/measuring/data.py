"""Where real lines and texts lie: in the folder that OCRLSTM_DATA names, else in data."""

import os
from pathlib import Path

DATA = Path(os.environ.get("OCRLSTM_DATA", "data"))

#: SET/train and SET/test of image/text pairs each.
LINES = DATA / "lines"

#: Plain texts, NAME.txt.
TEXTS = DATA / "text"
