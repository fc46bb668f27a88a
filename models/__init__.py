"""Pretrained models: one NAME.safetensors and its card NAME.md each.

The folder lies at the top of the repository and is installed as `ocrlstm.pretrained`;
`ocrlstm.list_models()` tells what is here.
"""
