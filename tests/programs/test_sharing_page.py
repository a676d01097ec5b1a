"""What the page about sharing memory shows without torch."""

from __future__ import annotations

from children import output_of
from shown_pages import shown


def test_the_program_prints_what_the_page_says() -> None:
    program, expected = shown("sharing.md", "numpy")

    assert output_of(program) == expected.strip()
