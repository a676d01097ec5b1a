"""An include directory that replaces the source tree of CANN's operators, made on demand.

Published samples lie in that tree: they include ``../op_host/op_api/aclnn_x.h`` of the operator
beside them, and headers of operators that no package of CANN 9.0 has, which one builds from the
tree as a package of one's own (``vendors/*/op_api/include``). With CANN the tree itself provides
these. Here they are links to the toolkit's headers, and declarations: such a sample compiles, and
links where it calls nothing but CANN's operators.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_TYPES = {
    "tensor": "const aclTensor*", "ref": "aclTensor*", "out": "const aclTensor*",
    "scalar": "const aclScalar*", "ints": "const aclIntArray*",
    "int": "int64_t", "double": "double", "bool": "bool",
}  # fmt: skip

#: Operators of the source tree that CANN 9.0 does not install: name, inputs, attributes, outputs,
#: each with its type. Their header is named after them, as the build of the tree does it.
_OPERATORS = """
AddExample: tensor x1, tensor x2, out y
AddV2: tensor x1, tensor x2, out y
AxpyV2: tensor self, tensor other, scalar alpha, out out
AxpyV3: tensor x, tensor y, double a, out z
BinaryCrossEntropyGradV2: tensor grad, tensor logits, tensor labels, tensor weight, int reduction, out z
BroadcastV2: tensor x, int bufferMode, int dim, int isReuseSource, int axis, int num, out y
CastV2: tensor x, out z
CeilV2: tensor x, out z
CeluV2: tensor x, double alpha, out y
Col2Im: tensor col, int outputH, int outputW, int kernelH, int kernelW, int strideVal, int paddingVal, int dilationVal, out x
ComplexV2: tensor x1, tensor x2, out y
ConcatV2: tensor x1, tensor x2, int d, out y
DivV2: tensor x1, tensor x2, out y
DotV2: tensor x1, tensor x2, out y
EyeV2: tensor x, int rows, int cols, out y
FillV2: ref x, tensor fillValue
FloorDiv: tensor x1, tensor x2, out y
GatherElementsV3: tensor x, tensor index, int dim, out y
GerV2: tensor x, tensor y, tensor A, double alpha, out z
HardSwishV2: tensor x, out y
Im2Col: tensor x, int kernelH, int kernelW, int strideH, int strideW, int padH, int padW, int dilationH, int dilationW, out z
InvertV2: tensor x, out y
IsinPartV1: tensor value, tensor index, tensor elementsNum, out z
LeakyreluV2: tensor x, double negativeSlope, out y
LinSpaceD: tensor start, tensor end, ints num, out z
Log1pV2: tensor x1, out y
MaskedFill: tensor x, tensor mask, scalar value, out y
MaximumV2: tensor x1, tensor x2, out y
MulV2: tensor x1, tensor x2, out y
NMSWithMask: tensor x1, tensor x2, double iouThreshold, double scoresThreshold, out y
Onehot: tensor x, int depth, out z
RealDiv: tensor self, tensor other, out out
ReduceMaxV2: tensor x, int axes, int keepdims, out y
ReduceMinV2: tensor x, int axes, int keepdims, out y
ReduceSumV2: tensor x, int axes, int keepdims, out y
ReflectionPad1dV2: tensor x, ints paddings, out y
ReluV2: tensor x, out y
SelectV3: tensor x, tensor y, tensor b, out z
SiluMul: tensor x, tensor y, out out
SliceV3: tensor x, ints begin, ints size, out y
SquareV2: tensor x, out z
SubV2: tensor x1, tensor x2, out y
TanV2: tensor x, out y
TraceV2: tensor x, out y
Transposev: tensor x, tensor perm, out y
TruncV2: tensor x, out z
"""  # noqa: E501 - a line each

_HEADER = """\
// aclnn{name}, which CANN 9.0 does not install: one builds it from the source tree.
#ifndef PYACLNN_SOURCE_TREE_{guard}_
#define PYACLNN_SOURCE_TREE_{guard}_

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {{
#endif

aclnnStatus aclnn{name}GetWorkspaceSize({parameters}, uint64_t* workspaceSize,
                                        aclOpExecutor** executor);
aclnnStatus aclnn{name}(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream);

#ifdef __cplusplus
}}
#endif

#endif
"""


def headers() -> dict[str, str]:
    """Return the headers of the operators that CANN does not install, by file name."""
    found = {}
    for line in _OPERATORS.strip().splitlines():
        name, _, parameters = line.partition(": ")
        file = f"aclnn_{_snake(name)}.h"
        typed = (parameter.split() for parameter in parameters.split(", "))
        found[file] = _HEADER.format(
            name=name,
            guard=re.sub(r"\W", "_", file).upper(),
            parameters=", ".join(f"{_TYPES[kind]} {p}" for kind, p in typed),
        )
    return found


def _snake(name: str) -> str:
    """Name a file as the build of CANN's operators does: ``NMSWithMask`` is ``nms_with_mask``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def lay_out(folder: Path, include: Path) -> Path:
    """Make the tree below a folder, and return its include directory.

    Parameters
    ----------
    folder : Path
        Where it goes.
    include : Path
        The toolkit's include directory.
    """
    operator = folder / "operator"
    found = operator / "examples"
    (found / "aclnnop").mkdir(parents=True, exist_ok=True)
    (operator / "op_host").mkdir(exist_ok=True)
    for place in (operator / "op_api", operator / "op_host" / "op_api"):
        _link(place, include / "aclnnop")
    # From there, `../../name/op_host/op_api` is another operator of its family. Each has its own
    # header alone: who follows links, as setuptools does, would see all of them a thousand times.
    for header in (include / "aclnnop").glob("aclnn_*.h"):
        beside = folder / header.stem.removeprefix("aclnn_")
        if beside.is_symlink():
            beside.unlink()
        (beside / "op_host" / "op_api").mkdir(parents=True, exist_ok=True)
        _write(beside / "op_host" / "op_api" / header.name, f'#include "aclnnop/{header.name}"\n')
    for name, text in headers().items():
        for file in (found / name, found / "aclnnop" / name):
            _write(file, text)
    return found


def _write(file: Path, text: str) -> None:
    """Write a file, unless it has this content."""
    if file.is_symlink() or not file.exists() or file.read_text(encoding="utf-8") != text:
        file.unlink(missing_ok=True)
        file.write_text(text, encoding="utf-8")


def _link(place: Path, target: Path) -> None:
    """Make a link, unless it is there."""
    wanted = os.path.relpath(target, place.parent)
    if place.is_symlink() and os.readlink(place) == wanted:
        return
    place.unlink(missing_ok=True)
    place.symlink_to(wanted)
