import sys
from pathlib import Path

# importlib mode puts no folder of tests on the path; the tests of this room share `drawn_pages`.
sys.path.insert(0, str(Path(__file__).parent))
