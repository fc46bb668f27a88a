"""Number crunching: arrays in, arrays out, the only Numba code of the project.

A kernel that other rooms call has a plain twin of the same name in `ocrlstm.kernels.reference`, its
definition; the parts of kernels (`tile`, `lstm_gates`, `squash`, `exponential`, `log_add`,
`rows`, `ctc_logarithms`, `unfinished`) have none.
Import the module you need (`ocrlstm.kernels.lstm`, `.convolution`, `.pooling`, `.ctc`, `.threads`);
importing this package loads nothing.
"""
