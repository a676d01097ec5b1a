"""What a program uses of torch_npu, by its sources and those of op-plugin."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from uses import main, uses

PROGRAM = '''
"""torch_npu.npu_in_a_text is not counted."""
import torch, torch_npu

def forward(x):  # nor torch_npu.npu_in_a_comment
    y = torch_npu.npu_swiglu(x)
    torch_npu.npu_swiglu.out(x, out=y)
    torch_npu.npu_compressed(x)
    torch_npu._npu_paged(x)
    torch_npu.npu_named(x)
    torch.ops._C_ascend.own(x)
    return torch.ops.npu.npu_sorted(torch_npu.npu.current_device())
'''
FUNCTIONS = """
custom:
  - func: npu_swiglu(Tensor self, int dim=-1) -> Tensor
    gen_opapi:
      exec: aclnnSwiGlu
  - func: npu_sorted(Tensor self) -> Tensor
    op_api: all_version
"""
SORTED = """
namespace op_api {
static void helper(const at::Tensor& self)
{
    EXEC_NPU_CMD(aclnnSort, self);
}
    ::std::tuple<at::Tensor, at::Tensor> npu_sorted(
        const at::Tensor& self)
    {
        if (self.defined()) {
            helper(self);
        }
        EXEC_NPU_CMD(aclnnNoSuch, self);
    }
at::Tensor npu_compressed_symint(const at::Tensor& self) {
    EXEC_NPU_CMD(aclnnMatmulCompress, self);
}
}
"""


def test_each_function_is_traced_to_what_becomes_of_it(tmp_path: Path) -> None:
    program, op_plugin = tmp_path / "program", tmp_path / "op-plugin"
    program.mkdir()
    (program / "layer.py").write_text(PROGRAM)
    for name, text in {
        "config/op_plugin_functions.yaml": FUNCTIONS,
        "ops/opapi/Sorted.cpp": SORTED,
        "ops/atb/Paged.cpp": "void _npu_paged(at::Tensor x) {\n    atb::Run(x);\n}\n",
        "ops/aclops/Named.cpp": 'void npu_named(at::Tensor x) {\n    cmd.Name("Cast").Run();\n}\n',
    }.items():
        path = op_plugin / "op_plugin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    found = {use.function: use for use in uses(program, op_plugin)}

    assert found["torch_npu.npu_swiglu"].times == 2
    assert found["torch_npu.npu_swiglu"].here == "simulated"
    assert found["torch.ops.npu.npu_sorted"].calls == ("aclnnNoSuch", "aclnnSort")
    assert "simulated, but aclnnNoSuch is not: " in found["torch.ops.npu.npu_sorted"].here
    assert "not simulated, for aclnnMatmulCompress is" in found["torch_npu.npu_compressed"].here
    assert "ATB" in found["torch_npu._npu_paged"].here
    assert found["torch_npu.npu_named"].calls == ("Cast",)
    assert "own operator" in found["torch.ops._C_ascend.own"].here
    assert "own code" in found["torch_npu.npu.current_device"].here
    assert len(found) == 7
    assert main([str(program), "--op-plugin", str(op_plugin)]) == 0
