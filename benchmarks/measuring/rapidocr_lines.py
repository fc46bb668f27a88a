"""Prints what RapidOCR reads in the images that a file lists, one line each, on one thread."""

import sys
from pathlib import Path

from rapidocr import RapidOCR


def main() -> None:
    engine = RapidOCR(
        params={
            "Global.log_level": "error",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    for path in Path(sys.argv[1]).read_text("utf-8").splitlines():
        result = engine(path, use_det=False, use_cls=False, use_rec=True)
        print(" ".join(result.txts or ()))


if __name__ == "__main__":
    main()
