"""The kernels in plain NumPy, one line and one step at a time: the definition and the oracle."""
