import sys
from pathlib import Path

# importlib mode puts no folder of tests on the path; `gradients` is shared by the tests of this room.
sys.path.insert(0, str(Path(__file__).parent))
