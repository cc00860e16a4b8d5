"""The arrays that kernels take, by type of cell and number of dimensions.

An annotation with one of these types leaves nothing open, so that a kernel is compiled for it and for nothing
else; see :func:`paifu.replay.kernels.running.kernel`. All are laid out in C order and may be written to.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

F32 = Annotated[npt.NDArray[np.float32], "float32", 1]
F32_2D = Annotated[npt.NDArray[np.float32], "float32", 2]
F32_3D = Annotated[npt.NDArray[np.float32], "float32", 3]
F64 = Annotated[npt.NDArray[np.float64], "float64", 1]
F64_2D = Annotated[npt.NDArray[np.float64], "float64", 2]
F64_3D = Annotated[npt.NDArray[np.float64], "float64", 3]
I8 = Annotated[npt.NDArray[np.int8], "int8", 1]
I8_2D = Annotated[npt.NDArray[np.int8], "int8", 2]
I16 = Annotated[npt.NDArray[np.int16], "int16", 1]
I16_3D = Annotated[npt.NDArray[np.int16], "int16", 3]
I32 = Annotated[npt.NDArray[np.int32], "int32", 1]
I32_2D = Annotated[npt.NDArray[np.int32], "int32", 2]
I64 = Annotated[npt.NDArray[np.int64], "int64", 1]
I64_2D = Annotated[npt.NDArray[np.int64], "int64", 2]
I64_3D = Annotated[npt.NDArray[np.int64], "int64", 3]
I64_4D = Annotated[npt.NDArray[np.int64], "int64", 4]
U8 = Annotated[npt.NDArray[np.uint8], "uint8", 1]
U8_2D = Annotated[npt.NDArray[np.uint8], "uint8", 2]
U8_3D = Annotated[npt.NDArray[np.uint8], "uint8", 3]
U8_4D = Annotated[npt.NDArray[np.uint8], "uint8", 4]
U16 = Annotated[npt.NDArray[np.uint16], "uint16", 1]
