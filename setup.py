"""Packages of ocrlstm; everything else about the project stands in pyproject.toml.

The pretrained models lie in models/ at the top, where people look for them, and are installed as
the package `ocrlstm.pretrained`. pyproject.toml cannot both search for packages and name one more.
"""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["ocrlstm", "ocrlstm.*"]), "ocrlstm.pretrained"],
    package_dir={"ocrlstm.pretrained": "models"},
    package_data={"ocrlstm": ["py.typed"], "ocrlstm.pretrained": ["*.safetensors", "*.md"]},
)
