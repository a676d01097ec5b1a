"""Signatures keep what cffi forgets: names and const, and say what kind of value C takes."""

from __future__ import annotations

import pytest

from pyaclnn.abi import HeaderError, SymbolNotFoundError, index, signature
from pyaclnn.abi.clean import clean
from pyaclnn.abi.signature import Parameter, signature_of


def parameters(text: str) -> list[tuple[str, str, bool]]:
    (declaration,) = clean(text)
    return [(p.name, p.c_type, p.const) for p in signature_of(declaration).parameters]


def kind_of(c_type: str) -> str:
    (declaration,) = clean(f"int f({c_type} x);")
    return signature_of(declaration).parameters[0].kind


def test_an_operators_first_phase() -> None:
    found = signature("aclnnThresholdBackwardGetWorkspaceSize")

    assert str(found) == (
        "aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor *gradOutput, "
        "const aclTensor *self, const aclScalar *threshold, aclTensor *out, "
        "uint64_t *workspaceSize, aclOpExecutor **executor)"
    )
    assert found.parameters[2] == Parameter("threshold", "aclScalar *", True, "scalar")


@pytest.mark.parametrize(
    ("declared", "c_type", "const"),
    [
        ("const aclTensor *x", "aclTensor *", True),
        ("aclTensor const *x", "aclTensor *", True),
        ("aclTensor*x", "aclTensor *", False),
        ("const aclTensor *const x", "aclTensor *const", True),
        ("const aclTensor *const *x", "aclTensor *const *", True),
        ("int64_t x[][2]", "int64_t[][2]", False),
        ("const char *const x[]", "char *const[]", True),
        ("const unsigned long long x", "unsigned long long", True),
        ("void (*x)(const void *, int)", "void (*)(const void *, int)", False),
        ("struct tag *x", "struct tag *", False),
        ("int (*x)[4]", "int (*)[4]", False),
    ],
)
def test_one_type_has_one_spelling(declared: str, c_type: str, const: bool) -> None:
    assert parameters(f"int f({declared});") == [("x", c_type, const)]


@pytest.mark.parametrize("empty", ["void", ""])
def test_no_parameters(empty: str) -> None:
    assert parameters(f"const char *f({empty});") == []


def test_parameters_without_names() -> None:
    assert parameters("int f(size_t, const char *);") == [
        ("", "size_t", False), ("", "char *", True),
    ]  # fmt: skip


def test_a_variable_number_of_parameters() -> None:
    assert parameters("int f(const char *format, ...);")[-1] == ("", "...", False)


def test_a_pointer_result_keeps_its_const() -> None:
    (declaration,) = clean("const char *const *f(int a);")

    assert signature_of(declaration).result == "const char *const *"


@pytest.mark.parametrize(
    ("c_type", "kind"),
    [
        ("const aclTensor *", "tensor"), ("aclTensorList *", "tensor_list"),
        ("const aclScalar *", "scalar"), ("const aclScalarList *", "scalar_list"),
        ("const aclIntArray *", "int_array"), ("aclFloatArray *", "float_array"),
        ("const aclBoolArray *", "bool_array"), ("char *", "string"), ("const char *", "string"),
        ("int64_t", "int"), ("const int8_t", "int"), ("unsigned int", "int"), ("size_t", "int"),
        ("double", "float"), ("float", "float"), ("bool", "bool"), ("aclDataType", "dtype"),
        ("aclFormat", "format"), ("const aclrtStream", "stream"), ("aclOpExecutor *", "executor"),
        ("aclOpExecutor **", "pointer_out"), ("uint64_t *", "pointer_out"),
        ("const int64_t *", "pointer"), ("void *", "pointer"), ("void **", "pointer_out"),
        ("aclrtMemcpyKind", "enum"), ("aclrtCallback", "callback"), ("aclError", "int"),
    ],
)  # fmt: skip
def test_kinds_say_what_a_caller_passes(c_type: str, kind: str) -> None:
    assert kind_of(c_type) == kind


def test_a_signature_is_parsed_once() -> None:
    assert signature("aclrtMalloc") is signature("aclrtMalloc")


def test_a_signature_follows_headers_added_later(tmp_path) -> None:  # type: ignore[no-untyped-def]
    before = list(index._added)
    old = str(signature("aclrtResetDevice"))
    (tmp_path / "x.h").write_text("int aclrtResetDevice(int deviceId, int how);")

    index.add_headers(tmp_path / "x.h")
    new = str(signature("aclrtResetDevice"))
    index._added[:] = before
    index._changed()

    assert (old != new, new) == (True, "int aclrtResetDevice(int deviceId, int how)")


def test_an_unknown_function_suggests_the_nearest() -> None:
    with pytest.raises(SymbolNotFoundError, match=r"did you mean .*aclnnSeluBackward"):
        signature("aclnnSeluBackwards")


@pytest.mark.parametrize(("name", "what"), [("aclDataType", "typedef"), ("ACL_FLOAT", "typedef")])
def test_what_is_no_function_is_refused(name: str, what: str) -> None:
    with pytest.raises(HeaderError, match=f"not a function.*it declares a {what}"):
        signature(name)


def test_a_prototype_that_does_not_parse_names_the_place() -> None:
    (declaration,) = clean("\nint f(int a b c);", "odd.h")

    with pytest.raises(HeaderError, match=r"odd\.h:2: cannot parse this declaration"):
        signature_of(declaration)
