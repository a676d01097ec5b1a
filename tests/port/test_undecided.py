"""What changes on one way of a decision that only a run takes is not taken for changed."""

from __future__ import annotations

import contextlib
import io

import pytest

from .conftest import Translate
from .sources import PREAMBLE

#: Statements of which the last prints, behind a decision that the run does not take, and what C++
#: prints.
UNTAKEN = {
    "std::vector<int> v{1, 2}; if (TAKEN) v.clear(); SHOW(v.size());": "2",
    "std::vector<int> v{1, 2}; if (TAKEN) v.push_back(4); SHOW(v.size());": "2",
    "std::vector<int> v{1, 2}; if (TAKEN) v.pop_back(); SHOW(v.size());": "2",
    "std::vector<int> v{1, 2}; if (TAKEN) v.resize(9); SHOW(v.size());": "2",
    "std::vector<int> v{1, 2}; if (TAKEN) v[1] = 7; SHOW(v[1]);": "2",
    "std::vector<int> v{1, 2}, w{4}; if (TAKEN) v.swap(w); SHOW(v.size());": "2",
    "std::vector<int> v{1, 2}, w{4}; if (TAKEN) w = std::move(v); SHOW(v.size());": "2",
    "std::vector<int> v{3, 1}; if (TAKEN) std::fill(v.begin(), v.end(), 5); SHOW(v[0]);": "3",
    "std::vector<int> v{3, 1}; if (TAKEN) std::sort(v.begin(), v.end()); SHOW(v[0]);": "3",
    "std::vector<int> v{3, 1}; if (TAKEN) memset(v.data(), 0, 8); SHOW(v[0]);": "3",
    "std::vector<int> v{3, 1}, w{7, 8}; if (TAKEN) memcpy(v.data(), w.data(), 8); SHOW(v[0]);": "3",
    "std::vector<int> v{3, 1}; if (TAKEN) for (auto& e : v) e = 0; SHOW(v[0]);": "3",
    'std::vector<std::string> v{"a"}; if (TAKEN) v.push_back("b"); SHOW(v.size());': "1",
    'std::vector<std::string> v{"a"}; if (TAKEN) v[0] = "bc"; SHOW(v[0].size());': "1",
    "std::vector<std::vector<int>> v{{1}, {2}}; if (TAKEN) v[0] = v[1]; SHOW(v[0][0]);": "1",
    "std::vector<std::pair<int, int>> v; if (TAKEN) v.emplace_back(1, 2); SHOW(v.size());": "0",
    "std::map<int, int> m; if (TAKEN) m[1] = 2; SHOW(m.size());": "0",
    "std::map<int, int> m; if (TAKEN) m.insert({1, 2}); SHOW(m.size());": "0",
    "std::map<int, int> m{{1, 5}}; if (TAKEN) m.clear(); SHOW(m.size());": "1",
    "std::set<int> s{1}; if (TAKEN) s.insert(2); SHOW(s.size());": "1",
    "std::set<int> s{1}; if (TAKEN) s.erase(1); SHOW(s.size());": "1",
    "auto p = std::make_unique<int>(3); if (TAKEN) p.reset(); SHOW(p ? 1 : 0);": "1",
    "struct S { std::vector<int> x; void up() { x.push_back(1); } } s; if (TAKEN) s.up(); "
    "SHOW(s.x.size());": "0",
    "srand(1); if (TAKEN) rand(); SHOW(rand());": "1804289383",
    "std::mt19937 g(1); if (TAKEN) g(); SHOW(g());": "1791095845",
    "if (TAKEN) std::cout << std::hex; std::cout << 31;": "31",
    "if (TAKEN) std::cout << std::setprecision(2); std::cout << 3.25;": "3.25",
}


#: The same of what can be followed: complete ports.
FOLLOWED = {
    "int n = 1; switch ((int)out[1]) { case 7: n = 4; break; default: n = 2; } SHOW(n);": "4",
    "std::pair<int, float> p{1, 2.f}; if (TAKEN) p.first = 3; SHOW(p.first);": "1",
    "std::map<int, int> m{{1, 5}}; if (TAKEN) m[1] = 2; SHOW(m[1]);": "5",
    "int n = 0; for (float x : out) { if (x > 0) break; n++; } SHOW(n);": "1",
    "auto f = [&](int i) { if (out[i] > 5) return 1; return 2; }; SHOW(f(0) * 10 + f(1));": "21",
}


def source_of(statements: str) -> str:
    body = statements.replace("TAKEN", "out[0] > 9").replace("SHOW", "std::cout << (int)")
    return f"""{PREAMBLE}
int main() {{
  std::vector<float> data = {{-10, 7}};
  std::vector<int64_t> shape = {{2}};
  void* address = nullptr;
  aclTensor* tensor = nullptr;
  Create(data, shape, &address, ACL_FLOAT, &tensor);
  std::vector<float> out(2);
  aclrtMemcpy(out.data(), 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST);
  {body}
}}
"""


def printed_by(text: str) -> str:
    """Return what a port prints, up to its end or the first gap on its way."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(NotImplementedError):
        exec(compile(text, "port.py", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("statements", UNTAKEN)
def test_what_a_way_that_is_not_taken_would_change_is_as_before_or_a_gap(
    translate: Translate, statements: str, style: str
) -> None:
    result = translate(source_of(statements), style)

    assert result.gaps
    assert printed_by(result.text) in ("", UNTAKEN[statements])


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("statements", FOLLOWED)
def test_what_only_a_run_decides_is_decided_by_the_port(
    translate: Translate, statements: str, style: str
) -> None:
    result = translate(source_of(statements), style)

    assert not result.gaps
    assert printed_by(result.text) == FOLLOWED[statements]


def test_a_gap_in_each_turn_of_a_loop_stops_the_turn_that_needs_it(translate: Translate) -> None:
    result = translate(f"""{PREAMBLE}
int main() {{
  std::vector<float> data = {{-10, 7, 8}};
  std::vector<int64_t> shape = {{3}};
  void* address = nullptr;
  aclTensor* tensor = nullptr;
  Create(data, shape, &address, ACL_FLOAT, &tensor);
  std::vector<float> out(3);
  aclrtMemcpy(out.data(), 12, address, 12, ACL_MEMCPY_DEVICE_TO_HOST);
  std::vector<int> found;
  for (int i = 0; i < 3; i++) if (out[i] > 0) found.push_back(i);
}}
""")

    assert len(result.gaps) == 1
    assert result.text.count("raise NotImplementedError") == 3
    with pytest.raises(NotImplementedError, match="is not ported"):
        exec(compile(result.text, "port.py", "exec"), {"__name__": "__main__"})
