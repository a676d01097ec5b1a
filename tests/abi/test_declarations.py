"""The index: names found lazily, directories in order, values as C gives them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from pyaclnn.abi.declarations import Index
from pyaclnn.abi.errors import HeaderError, SymbolNotFoundError

OPERATOR = """#include "aclnn/aclnn_base.h"
ACLNN_API aclnnStatus {name}GetWorkspaceSize(const aclTensor *self, uint64_t *workspaceSize);
ACLNN_API aclnnStatus {name}(void *workspace, uint64_t workspaceSize);
"""


class Tree:
    """An include directory made of texts."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, place: str, text: str) -> Path:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def operator(self, file: str, *names: str) -> Path:
        return self.write(f"aclnnop/{file}", "".join(OPERATOR.format(name=n) for n in names))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path / "include")
    made.write("acl/acl_base.h", "typedef int aclError;\n#define ACL_LIMIT 3\n")
    made.write("acl/acl_rt.h", '#include "acl/acl_base.h"\naclError aclrtRun(int a);\n')
    made.write(
        "aclnn/aclnn_base.h", "typedef int aclnnStatus;\ntypedef struct aclTensor aclTensor;"
    )
    return made


@pytest.fixture
def index(tree: Tree) -> Index:
    return Index(tree.root)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("aclnn_softshrink_backward.h", "aclnnSoftshrinkBackward"),
        ("aclnn_hardswish_backward_v2.h", "aclnnHardswishBackwardV2"),
        ("aclnn_avgpool2d.h", "aclnnAvgPool2d"),
        ("aclnn_upsample_nearest_2d.h", "aclnnUpsampleNearest2d"),
        ("aclnn_add.h", "aclnnInplaceAdds"),
        ("aclnn_matmul.h", "aclnnMatmulWeightNz"),
        ("aclnn_ffn_v2.h", "aclnnFFNV2"),
        ("acl_rfft1d.h", "aclRfft1D"),
        ("level2/aclnn_softsign.h", "aclnnSoftsign"),
    ],
)
def test_an_operator_is_found_by_its_name_without_reading_the_others(
    tree: Tree, index: Index, file: str, name: str
) -> None:
    found = tree.operator(file, name)
    # Reading it would raise.
    tree.write("aclnnop/aclnn_zzz.h", "#if (\nint aclnnZzz(void);")

    assert index.declaration(f"{name}GetWorkspaceSize").file == str(found)


def test_an_operator_in_a_file_of_another_name_is_found_by_a_scan(tree: Tree, index: Index) -> None:
    tree.operator("aclnn_segsum.h", "aclnnExpSegsum")

    assert index.is_operator("aclnnExpSegsum")


def test_operators_are_those_with_both_phases(tree: Tree, index: Index) -> None:
    tree.operator("aclnn_b.h", "aclnnB", "aclnnA")
    tree.write("aclnnop/aclnn_half.h", "int aclnnHalfGetWorkspaceSize(int a);")

    assert index.operators() == ["aclnnA", "aclnnB"]
    assert not index.is_operator("aclnnHalf")


def test_types_of_an_included_operator_header_are_found(tree: Tree, index: Index) -> None:
    tree.write("aclnnop/aclnn_types.h", "typedef struct { int mode; } aclnnOptions;")
    tree.write(
        "aclnnop/aclnn_x.h", '#include "aclnn_types.h"\nint aclnnX(const aclnnOptions *options);'
    )

    index.declaration("aclnnX")

    assert index.declaration("aclnnOptions").kind == "typedef"


def test_an_unknown_name_suggests_the_nearest(index: Index) -> None:
    with pytest.raises(SymbolNotFoundError, match="did you mean aclrtRun"):
        index.declaration("aclrtRum")


def test_installed_headers_win_and_vendored_ones_fill_the_gaps(tree: Tree, tmp_path: Path) -> None:
    installed = Tree(tmp_path / "toolkit" / "include")
    installed.write("acl/acl_rt.h", "int aclrtRun(int a, int b);")
    index = Index(tree.root)

    index.use_installed(installed.root)

    assert index.declaration("aclrtRun").text == "int aclrtRun(int a, int b);"
    assert index.value("ACL_LIMIT") == 3


def test_added_headers_win_over_all_others_and_the_last_added_over_the_first(
    tree: Tree, index: Index
) -> None:
    index.add_headers(tree.write("mine/one.h", "int aclrtRun(char one);"))
    index.add_headers(tree.write("mine/two.h", "int aclrtRun(char two);"))

    assert index.declaration("aclrtRun").text == "int aclrtRun(char two);"


def test_adding_a_header_changes_values_read_before(tree: Tree, index: Index) -> None:
    before = index.value("ACL_LIMIT")

    index.add_headers(tree.write("mine/x.h", "#define ACL_LIMIT 30\n"))

    assert (before, index.value("ACL_LIMIT")) == (3, 30)


def test_a_directory_without_cann_s_layout_can_be_added(tree: Tree, index: Index) -> None:
    tree.operator("unused.h")
    tree.write("../custom/include/deep/aclnn_mine.h", OPERATOR.format(name="aclnnMine"))

    index.add_headers(tree.root / "../custom")

    assert index.is_operator("aclnnMine")


def test_an_added_header_brings_what_it_includes_from_beside_it(tree: Tree, index: Index) -> None:
    tree.write("mine/types.h", "typedef long mine_t;")

    index.add_headers(tree.write("mine/api.h", '#include "types.h"\nint run(mine_t t);'))

    assert index.declaration("mine_t").text == "typedef long mine_t;"


def test_adding_what_is_not_there_is_refused(index: Index) -> None:
    with pytest.raises(FileNotFoundError, match="no header file or directory at /nowhere"):
        index.add_headers("/nowhere/x.h")


def test_a_definition_wins_over_a_forward_declaration(tree: Tree, index: Index) -> None:
    tree.write("acl/acl_x.h", "struct S;\nstruct S { int a; };\nstruct S;\n")

    assert "{" in index.declaration("struct S").text


def test_a_declared_function_wins_over_an_inline_one(tree: Tree, index: Index) -> None:
    tree.write("acl/acl_x.h", "static inline int f(int a) { return a; }\nint f(int a);\n")

    assert index.declaration("f").kind == "function"


def test_enumerators_count_on_and_refer_to_other_constants(tree: Tree, index: Index) -> None:
    tree.write(
        "acl/acl_x.h",
        "typedef enum { A = -2, B, C = ACL_LIMIT << 1, D, E = C | 1, F = (int)0x10u } aclX;",
    )

    assert [index.value(name) for name in "ABCDEF"] == [-2, -1, 6, 7, 7, 16]


def test_a_value_that_cannot_be_evaluated_names_the_place(tree: Tree, index: Index) -> None:
    tree.write("acl/acl_x.h", "\n#define ODD (ACL_LIMIT + UNKNOWN)\n")

    with pytest.raises(HeaderError, match=r"acl_x\.h:2: cannot evaluate .*UNKNOWN"):
        index.value("ODD")


def test_a_constant_defined_by_itself_is_an_error_not_a_crash(tree: Tree, index: Index) -> None:
    tree.write("acl/acl_x.h", "#define LOOP LOOP + 1\n")

    with pytest.raises(HeaderError, match="LOOP"):
        index.value("LOOP")


def test_the_values_of_the_vendored_headers_are_the_compilers(
    tmp_path: Path, c_compiler: list[str]
) -> None:
    index = Index()
    names = sorted(
        name for name, d in index.names().items()
        if (d.kind == "constant" or d.enumerators()) and name.isupper() and "aclnnop" not in d.file
        and isinstance(index.value(name), int)
    )  # fmt: skip
    root = index._roots()[-1].path
    files = sorted({Path(d.file) for d in index.names().values() if "aclnnop" not in d.file})
    includes = "".join(f'#include "{f.relative_to(root)}"\n' for f in files)
    lines = "".join(f'printf("%s%lld", "\\n,"+(i++==0), (long long)({n}));\n' for n in names)
    program = f"{includes}#include <stdio.h>\nint main(void) {{ int i = 0; {lines} return 0; }}"
    (tmp_path / "v.c").write_text(program)
    command = [*c_compiler, "-w", f"-I{root}", "-o", "v", "v.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    out = subprocess.run([tmp_path / "v"], capture_output=True, text=True, check=True).stdout
    compiled = dict(zip(names, json.loads(f"[{out.strip().lstrip(',')}]"), strict=True))

    found = {name: (int(index.value(name)) + 2**63) % 2**64 - 2**63 for name in names}

    assert len(found) > 500
    assert found == compiled
