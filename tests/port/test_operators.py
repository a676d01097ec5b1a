"""Operators that the simulator does not run: right operator, right arguments, right order."""

from __future__ import annotations

import ast
import inspect

import numpy as np
import pytest
from port.sources import program, run, tensor

import pyaclnn as pa

from .conftest import Translate


def calls(text: str) -> list[ast.Call]:
    """Calls of operators in a program, in order."""
    return [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("pa.ops.")
    ]


def plain(text: str) -> str:
    """Return a port with its comments on one line each."""
    return text.replace("\n# ", " ")


def test_scalars_keep_their_dtype(translate: Translate) -> None:
    body = tensor("self", "2, 3") + tensor("other", "2, 3") + tensor("out", "2, 3")
    body += "  float value = 1.2f;\n  aclScalar* alpha = aclCreateScalar(&value, ACL_FLOAT);\n"

    result = translate(program(body + run("aclnnAdd", "self, other, alpha, out")))

    assert result.gaps == ()
    assert "out = pa.ops.add(self, other, alpha=np.float32(1.2))" in result.text


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1e-5f", "np.float32(1e-05)"),
        ("1e-5", "1e-05"),
        ("0.5f", "0.5"),
        ("0.1f", "np.float32(0.1)"),
    ],
)
def test_a_float_for_a_double_is_written_as_the_sample_does(
    translate: Translate, written: str, expected: str
) -> None:
    body = tensor("x", "2, 4") + tensor("gamma", "4") + tensor("y", "2, 4") + tensor("rstd", "2, 1")

    result = translate(program(body + run("aclnnRmsNorm", f"x, gamma, {written}, y, rstd")))

    (found,) = calls(result.text)
    given = [ast.unparse(k.value) for k in found.keywords if k.arg == "epsilon"]
    assert [*given, *(ast.unparse(a) for a in found.args[2:])] == [expected]
    in_port = eval(expected, {"np": np})
    in_sample = np.float32(float(written[:-1])) if written.endswith("f") else float(written)
    assert float(in_port) == float(in_sample)


def test_tensor_lists_become_lists(translate: Translate) -> None:
    body = tensor("first", "2, 3") + tensor("second", "1, 3") + tensor("out", "3, 3")
    body += "  std::vector<aclTensor*> both{first, second};\n"
    body += "  aclTensorList* list = aclCreateTensorList(both.data(), both.size());\n"

    result = translate(program(body + run("aclnnCat", "list, 0, out")))

    assert result.gaps == ()
    assert "pa.ops.cat([first, second], dim=0" in result.text


def test_missing_optional_tensors_become_none(translate: Translate) -> None:
    body = "".join(tensor(n, "8, 2, 16") for n in ("q", "out"))
    body += "".join(tensor(n, "8, 2, 8") for n in ("maximum", "total"))
    body += "  int64_t lengths[] = {8};\n  auto seq = aclCreateIntArray(lengths, 1);\n"
    body += "  char layout[5] = {'T', 'N', 'D', 0};\n"
    call = (
        "q, q, q, nullptr, nullptr, nullptr, nullptr, nullptr, seq, seq, 0.25, 1.0, 65536, "
        "65536, 2, layout, 0, 0, maximum, total, nullptr, out"
    )

    result = translate(program(body + run("aclnnFlashAttentionVarLenScore", call)))

    assert result.gaps == ()
    (found,) = calls(result.text)
    assert [ast.unparse(a) for a in found.args] == ["q", "q", "q"]
    named = {k.arg: ast.unparse(k.value) for k in found.keywords}
    assert named.pop("out") == "(maximum, total, None, out)"
    assert named.pop("actual_seq_q_len_optional") == "[8]"
    assert named.pop("input_layout") == "'TND'"
    assert "drop_mask_optional" not in named
    assert "None" not in named.values()


def test_what_the_operator_takes_anyway_is_left_out(translate: Translate) -> None:
    body = tensor("self", "2, 3") + tensor("target", "2, 3") + tensor("out", "")
    calls_of_both = run("aclnnMseLoss", "self, target, 1, out")
    calls_of_both += run("aclnnMseLoss", "self, target, 2, out")

    result = translate(program(body + calls_of_both))

    assert result.gaps == ()
    mean, total = calls(result.text)
    assert [k.arg for k in mean.keywords] in ([], ["out"])
    assert ast.unparse(total.keywords[0]) == "reduction=2"


def test_outputs_that_a_sample_does_without_are_remarked(translate: Translate) -> None:
    body = "".join(tensor(n, "2, 8") for n in ("x1", "x2", "y", "x"))
    body += tensor("gamma", "8") + tensor("rstd", "2, 1")
    call = "x1, x2, gamma, 1e-6, y, {}, x"

    without = translate(program(body + run("aclnnAddRmsNorm", call.format("nullptr"))))
    given = translate(program(body + run("aclnnAddRmsNorm", call.format("rstd"))))

    assert "the sample passes no rstdOut, which pa.ops allocates" in plain(without.text)
    assert "the sample passes" not in plain(given.text)


def test_outputs_that_the_operator_leaves_out_as_well_are_not_remarked(
    translate: Translate,
) -> None:
    body = "".join(tensor(n, "2, 8") for n in ("x1", "x2", "y1", "y2", "x"))
    body += "".join(tensor(n, "8") for n in ("gamma", "scales"))
    call = "x1, x2, gamma, scales, nullptr, nullptr, nullptr, nullptr, -1, 1e-6, true, y1, y2, x, "

    result = translate(program(body + run("aclnnAddRmsNormQuantV2", call + "nullptr")))

    assert result.gaps == ()
    assert "the sample passes" not in plain(result.text)


def test_scalars_that_get_another_dtype_are_remarked(translate: Translate) -> None:
    body = "".join(tensor(n, "2, 3") for n in ("grad", "self", "out"))
    for dtype, ctype, remarked in (("INT32", "int", True), ("FLOAT", "float", False)):
        scalar = f"  {ctype} value = 3;\n  auto bound = aclCreateScalar(&value, ACL_{dtype});\n"

        result = translate(
            program(body + scalar + run("aclnnThresholdBackward", "grad, self, bound, out"))
        )

        text = "threshold is an aclScalar of int32; pa.ops makes it one of float32"
        assert (text in plain(result.text)) == remarked


def test_in_place_operators_have_no_out(translate: Translate) -> None:
    body = tensor("selfRef", "4") + tensor("other", "4")
    body += "  float value = 2;\n  aclScalar* alpha = aclCreateScalar(&value, ACL_FLOAT);\n"

    result = translate(program(body + run("aclnnInplaceAdd", "selfRef, other, alpha")))

    assert result.gaps == ()
    assert "pa.ops.inplace_add(self_ref, other, alpha=np.float32(2.0))" in result.text


def test_private_formats_and_small_types_are_kept(translate: Translate) -> None:
    body = tensor("x", "4, 32", "int8_t", "ACL_INT8", extra=", ACL_FORMAT_FRACTAL_NZ")
    body += tensor("out", "4, 32", "uint8_t", "ACL_HIFLOAT8")

    result = translate(program(body + run("aclnnCast", "x, ACL_FLOAT16, out")))

    assert result.gaps == ()
    assert 'with_format(pa.ones((4, 32), np.int8), "FRACTAL_NZ")' in result.text
    assert 'dtype="hifloat8"' in result.text
    assert "pa.ops.cast(x, dtype=np.float16, out=out)" in result.text


def test_an_output_that_follows_from_the_shape_of_a_small_type_is_given(
    translate: Translate,
) -> None:
    half = ("uint16_t", "ACL_FLOAT16")
    body = tensor("x", "4, 32", *half) + tensor("scale", "8", *half) + tensor("y", "4, 8", *half)
    body += tensor("weight", "32, 8", "uint8_t", "ACL_FLOAT8_E4M3FN")
    call = "x, weight, scale, nullptr, nullptr, nullptr, nullptr, 0, y"

    result = translate(program(body + run("aclnnWeightQuantBatchMatmulV2", call)))

    # Python sees the bytes of the weight, and not their shape.
    assert result.gaps == ()
    assert "pa.ops.weight_quant_batch_matmul_v2(x, weight, scale, out=y)" in result.text


def test_float16_data_is_decoded(translate: Translate) -> None:
    bits = "0x3c00, 0x4000, 0xb800, 0x0001"
    body = tensor("self", "4", "uint16_t", "ACL_FLOAT16", bits)
    body += tensor("out", "4", "uint16_t", "ACL_FLOAT16")

    result = translate(program(body + run("aclnnAbs", "self, out")))

    assert "np.array([1, 2, -0.5, 6e-08], dtype=np.float16)" in result.text


def test_a_loop_over_many_results_stays_a_loop(translate: Translate) -> None:
    body = tensor("self", "1024, 1024") + tensor("out", "1024, 1024")
    body += run("aclnnAbs", "self, out")
    body += """
      std::vector<float> host(Count(outShape));
      aclrtMemcpy(host.data(), host.size() * 4, outAddr, host.size() * 4,
                  ACL_MEMCPY_DEVICE_TO_HOST);
      for (int64_t i = 0; i < Count(outShape); i++) {
        LOG_PRINT("[%ld] %f\\n", i, host[i]);
      }
    """

    result = translate(program(body))

    assert result.text.endswith(
        'for i, value in enumerate(host.flat):\n    print(f"[{i}] {value:f}")\n'
    )


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_a_wrong_number_of_arguments_is_noticed_before_anything_runs(
    translate: Translate, style: str
) -> None:
    body = tensor("self", "4") + tensor("out", "4")

    result = translate(program(body + run("aclnnAbs", "self, self, out")), style)

    assert "takes 4 arguments, and 5 are passed" in result.gaps[0].reason
    assert f"# NOT PORTED sample.cpp:{result.gaps[0].line}: " in result.text


def test_arguments_of_another_kind_are_noticed(translate: Translate) -> None:
    body = tensor("self", "4") + tensor("out", "4") + "  aclScalar* scalar = nullptr;\n"
    body += "  float value = 1;\n  scalar = aclCreateScalar(&value, ACL_FLOAT);\n"

    result = translate(program(body + run("aclnnAbs", "scalar, out")))

    assert "takes no scalarobject" in result.gaps[0].reason


def test_an_operator_that_no_header_declares_is_named(translate: Translate) -> None:
    result = translate(program(tensor("x", "4") + run("aclnnFrobnicate", "x, x")))

    assert "no header declares aclnnFrobnicateGetWorkspaceSize" in result.gaps[0].reason


def test_the_arguments_bind_to_the_operators_signature(translate: Translate) -> None:
    body = tensor("x", "3, 2") + tensor("index", "3, 4", "int32_t", "ACL_INT32")
    body += tensor("y", "12, 2") + tensor("rows", "12", "int32_t", "ACL_INT32")
    body += tensor("counts", "4", "int64_t", "ACL_INT64") + tensor("scales", "12")
    body += "  int64_t r[] = {0, 4};\n  aclIntArray* range = aclCreateIntArray(r, 2);\n"
    call = "x, index, nullptr, nullptr, 12, 0, 256, 0, 1, true, -1, range, 1, "
    call += "y, rows, counts, scales"

    result = translate(program(body + run("aclnnMoeInitRoutingV3", call)))

    (found,) = calls(result.text)
    signature: inspect.Signature = pa.ops.moe_init_routing_v3.__signature__
    bound = signature.bind(
        *(ast.unparse(a) for a in found.args),
        **{k.arg: ast.unparse(k.value) for k in found.keywords if k.arg is not None},
    )
    bound.apply_defaults()
    assert bound.arguments["expert_num"] == "256"
    assert bound.arguments["active_expert_range_optional"] == "[0, 4]"
    assert bound.arguments["out"] is None  # the outputs follow


def test_what_goes_as_another_format_is_said_at_the_top(translate: Translate) -> None:
    body = tensor("self", "1, 2, 2, 2") + tensor("out", "1, 2, 2, 2")

    one = translate(program(body + run("aclnnAbs", "self, out")))

    assert "rank 4, which the sample describes as ND, go to the operators as NCHW" in one.text
    assert "with_format" not in one.text


def test_nd_needs_no_word_where_the_operator_takes_nothing_else(translate: Translate) -> None:
    body = tensor("self", "1, 2, 3") + tensor("out", "1, 2, 3, 3")

    same = translate(program(body + run("aclnnExpSegsum", "self, out")))
    other = translate(program(
        body.replace("&self)", "&self, ACL_FORMAT_NCL)") + run("aclnnExpSegsum", "self, out")
    ))  # fmt: skip

    assert "out = pa.ops.exp_segsum(self)" in same.text
    assert "describes as ND" not in same.text
    assert 'with_format(pa.ones((1, 2, 3)), "NCL")' in other.text


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_a_scalar_of_more_bytes_than_its_variable_has_is_remarked(
    translate: Translate, style: str
) -> None:
    body = tensor("self", "4") + tensor("out", "4")
    body += "  float value = 2.5f;\n  aclScalar* other = aclCreateScalar(&value, ACL_DOUBLE);\n"

    result = translate(program(body + run("aclnnMuls", "self, other, out")), style)

    assert result.gaps == ()
    assert "2.5" in result.text
    assert "makes a scalar of 8 bytes from a variable of 4" in result.text.replace("\n# ", " ")


def test_results_with_long_names_have_a_line_each(translate: Translate) -> None:
    names = [f"{which}OfTheDeterminantsOfAllMatricesOfTheBatch" for which in ("sign", "logarithm")]
    body = tensor("self", "3, 2, 2") + "".join(tensor(name, "3") for name in names)
    body += run("aclnnSlogdet", f"self, {names[0]}, {names[1]}")
    result = translate(program(body + f"""
  std::vector<float> host(3);
  aclrtMemcpy(host.data(), 12, {names[0]}Addr, 12, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("%f\\n", host[0]);
"""))  # fmt: skip

    assert result.gaps == ()
    assert (
        "(\n    sign_of_the_determinants_of_all_matrices_of_the_batch,\n"
        "    logarithm_of_the_determinants_of_all_matrices_of_the_batch,\n"
        ") = pa.ops.slogdet(self)\n"
    ) in result.text
    compile(result.text, "port.py", "exec")
