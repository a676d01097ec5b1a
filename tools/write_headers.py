"""Write declaration headers from an API description.

Usage: ``python tools/write_headers.py DESCRIPTION_DIR OUT [--operators NAME ...|all]``

The headers are the source of truth once they are written: comments are edited there.  A header
that exists in OUT is rewritten around the comments it has, so a newer description can be applied
without losing them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import header_text
from api_description import Description, Item, Operator, load
from header_comments import TOP, harvest

# The include operands and the macros of each runtime header.  A description has no includes.
_C_TYPES = ("<stdbool.h>", "<stddef.h>", "<stdint.h>")
_ERROR_CODES = ('"acl/error_codes/ge_error_codes.h"', '"acl/error_codes/rt_error_codes.h"')
_INCLUDES: dict[str, tuple[str, ...]] = {
    "acl/acl_base.h": (*_C_TYPES, "", *_ERROR_CODES),
    "acl/acl_rt.h": (*_C_TYPES, "", '"acl/acl_base.h"', '"acl/acl_rt_allocator.h"'),
    "acl/acl_op.h": (*_C_TYPES, "", '"acl/acl_base.h"'),
    "acl/acl_mdl.h": (*_C_TYPES, "", '"acl/acl_base.h"', '"acl/acl_rt.h"'),
    "acl/acl_rt_allocator.h": (*_C_TYPES, "", '"acl/acl_base.h"'),
    "acl/error_codes/ge_error_codes.h": (),
    "acl/error_codes/rt_error_codes.h": (),
    "aclnn/acl_meta.h": (*_C_TYPES, "", '"acl/acl_base.h"'),
    "aclnn/opdev/op_errno.h": (),
    "aclnn/aclnn_base.h": (*_C_TYPES, "", '"aclnn/acl_meta.h"'),
    "hccl/hccl_types.h": _C_TYPES,
    "hccl/hccl.h": (*_C_TYPES, "<string.h>", "", '"acl/acl.h"', '"hccl/hccl_types.h"'),
}
_OPERATOR_INCLUDES = ('"aclnn/acl_meta.h"', '"aclnn/aclnn_base.h"', '"aclnn_util.h"')

_MACROS = {
    "acl/acl_base.h": """\
#if defined(__GNUC__)
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#else
#define ACL_FUNC_VISIBILITY
#define ACL_DEPRECATED
#define ACL_DEPRECATED_MESSAGE(message)
#endif

// Logs a printf-style message with the place of the call.
#define ACL_APP_LOG(level, ...) aclAppLog((level), __func__, __FILE__, __LINE__, __VA_ARGS__)
""",
}

# Headers that declare nothing of their own.
_PLAIN_HEADERS = {
    "acl/acl.h": ('"acl/acl_base.h"', '"acl/acl_mdl.h"', '"acl/acl_op.h"', '"acl/acl_rt.h"'),
    "acl/acl_base_rt.h": ('"acl/acl_base.h"',),
}
_UTIL_MACRO = """\
#if defined(__GNUC__)
#define ACLNN_API __attribute__((visibility("default")))
#else
#define ACLNN_API
#endif
"""

# Functions that are defined in a header because no library exports them.
_INLINE = {
    "HcclCommConfigInit": """\
static inline void HcclCommConfigInit(HcclCommConfig* config) {
  struct {
    size_t size;
    uint32_t magic_word;
    uint32_t version;
    uint64_t unused;
  } head = {sizeof(HcclCommConfig), HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_CONFIG_VERSION, 0};
  memset(config, 0, sizeof(*config));
  memcpy(config->reserved, &head, sizeof(head));
  config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
  config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
  config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
  config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
  config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
}
""",
}

# Unions without a name, which a description cannot list under one.
_TASK_PARAMS = ("kernel", "eventRecord", "eventWait", "eventReset", "valueWrite", "valueWait")
_UNIONS = {
    "aclrtRandomNumFuncParaInfo.paramInfo": [
        ["dropoutBitmaskInfo", "aclrtDropoutBitmaskInfo"],
        ["uniformDisInfo", "aclrtUniformDisInfo"],
        ["normalDisInfo", "aclrtNormalDisInfo"],
    ],
    "aclmdlRITaskParams.": [
        ["rsv2", "uint8_t[128]"],
        *([f"{n}TaskParams", f"aclmdlRI{n[0].upper()}{n[1:]}TaskParams"] for n in _TASK_PARAMS),
    ],
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the headers.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("description", type=Path, help="holds runtime.json and operators.json")
    parser.add_argument("out", type=Path, help="the include directory to write")
    parser.add_argument("--operators", nargs="+", default=["all"], metavar="NAME")
    options = parser.parse_args(arguments)
    description = load(options.description)
    wanted = options.operators
    selected = list(description.operators) if wanted == ["all"] else wanted
    unknown = [name for name in selected if name not in description.operators]
    if unknown:
        parser.error(f"not in the description: {', '.join(unknown)}")
    for path, text in headers(description, selected, options.out):
        target = options.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(header_text.formatted(text), encoding="utf-8")
    return 0


def headers(
    description: Description, operators: Sequence[str], out: Path
) -> Iterator[tuple[str, str]]:
    """Yield every header of a description as text.

    Parameters
    ----------
    description : Description
        What to declare.
    operators : sequence of str
        The operators to declare; their headers are written whole.
    out : Path
        Where existing headers are, whose comments are kept.

    Yields
    ------
    tuple of str
        Path below the include directory, and text.
    """
    for path, includes in _PLAIN_HEADERS.items():
        yield path, header_text.frame(path, harvest(out / path).get(TOP, ""), includes, "", "")
    for path in description.headers():
        if path in _INCLUDES:
            yield path, _runtime_header(description, path, harvest(out / path))
    util = "aclnnop/aclnn_util.h"
    yield util, header_text.frame(util, harvest(out / util).get(TOP, ""), (), _UTIL_MACRO, "")
    by_header: dict[str, list[Operator]] = {}
    for path in {description.operators[name].header for name in operators}:
        by_header[path] = [op for op in description.operators.values() if op.header == path]
    for path, members in sorted(by_header.items()):
        comments = harvest(out / path)
        body = "\n".join(header_text.operator(op, comments) for op in members)
        top = comments.get(TOP, "")
        yield path, header_text.frame(path, top, _OPERATOR_INCLUDES, "", body)


def _runtime_header(description: Description, path: str, comments: dict[str, str]) -> str:
    macros: list[tuple[str, str]] = []
    types: list[tuple[str, str]] = []
    for item in _of(description.constants, path):
        text = header_text.constant(item, comments, _marker(item))
        (types if item.name == "OK" else macros).append((item.name, text))
    defined = {**description.structs, **description.enums}
    alias = {
        item.data["type"].removeprefix("union "): name
        for name, item in description.typedefs.items()
        if item.data["type"].removeprefix("union ") in defined
    }
    for item in _of(description.enums, path):
        typedef = alias.get(item.name)
        types.append((item.name, header_text.enum(item, comments, _marker(item), typedef)))
    for item in _of(description.structs, path):
        # C has to know a union by its bare name, which C++ does by itself.
        typedef = alias.get(item.name, item.name if item.data["kind"] == "union_" else None)
        text = header_text.struct(item, comments, _marker(item), typedef, _UNIONS)
        types.append((item.name, text))
    for item in _of(description.typedefs, path):
        if item.data["type"].removeprefix("union ") not in defined:
            types.append((item.name, header_text.typedef(item, comments, _marker(item))))
    functions = [
        header_text.comment(comments.get(item.name, "")) + _INLINE[item.name]
        if item.name in _INLINE
        else header_text.function(item, comments, _marker(item))
        for item in _of(description.functions, path)
    ]
    before = _MACROS.get(path, "") + "\n" + "".join(text for _, text in macros)
    body = "\n".join([*_in_order_of_use(types, alias), *functions])
    return header_text.frame(path, comments.get(TOP, ""), _INCLUDES[path], before, body)


def _of(items: dict[str, Item], path: str) -> list[Item]:
    return [item for item in items.values() if item.header == path]


def _marker(item: Item) -> str:
    # A description of 9.0 that never mentions a file of 8.1 says nothing about what became of it.
    return header_text.release_marker(item.releases) if item.releases[-1:] == ("9.0",) else ""


def _in_order_of_use(types: list[tuple[str, str]], alias: dict[str, str]) -> list[str]:
    """Order type definitions so that each follows those it mentions, otherwise as they came."""
    texts = dict(types)
    owner = {alias.get(name, name): name for name in texts}
    placed: dict[str, str] = {}

    def place(name: str) -> None:
        if name in placed:
            return
        code = re.sub(r"//.*", "", texts[name])
        for word in dict.fromkeys(re.findall(r"\w+", code)):
            if word in owner and owner[word] != name and owner[word] not in placed:
                place(owner[word])
        placed[name] = texts[name]

    for name in texts:
        place(name)
    return list(placed.values())


if __name__ == "__main__":
    sys.exit(main())
