import sys
from pathlib import Path

# importlib mode puts no folder of tests on the path; this room shares `ngram_tables`.
sys.path.insert(0, str(Path(__file__).parent))
