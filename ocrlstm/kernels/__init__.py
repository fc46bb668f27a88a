"""Number crunching: arrays in, arrays out, the only Numba code of the project.

Each kernel has a plain twin of the same name in `ocrlstm.kernels.reference`, its definition.
Import the module you need (`ocrlstm.kernels.lstm`, `.convolution`, `.pooling`, `.ctc`, `.threads`);
importing this package loads nothing.
"""
