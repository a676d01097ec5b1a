"""Try the site as a reader does: search in a headless browser, and follow every link.

``sphinx-build docs build/site && python tools/site_in_browser.py build/site``. Needs Chromium or
Chrome; links are followed without one. Exit status: 0 all is well, 1 something is not found, 2 no
browser or no site.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlparse

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

#: What a reader looks for -> a page that must be among the results.
SEARCHES = {
    "softshrink": "operators/softshrink_backward.html",
    "161002": "status-codes.html",
    "stream": "concepts/streams.html",
    "LD_LIBRARY_PATH": "real-cann.html",
}
#: Pages that the front page's navigation must lead to.
NAVIGATION = ("start.html", "porting.html", "speed.html", "troubleshooting.html")


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag refers to and can be referred to by."""
        said = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        self.anchors.update(said[name] for name in ("id", "name") if name in said)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing of each request."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder on this machine alone; yields the address."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def rendered(browser: str, address: str) -> Page:
    """Return a page as it is after its scripts have run."""
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000",
        "--dump-dom", address,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return Page(done.stdout)


def in_browser(site: Path, browser: str) -> Iterator[str]:
    """Search, and look at the navigation; yields what is missing."""
    with served(site) as root:
        for word, page in SEARCHES.items():
            address = f"{root}search.html?q={word}"
            found = {
                urldefrag(urljoin(address, link))[0] for link in rendered(browser, address).links
            }
            # The words that were looked for come with the address, to be highlighted.
            if root + page not in {address.split("?")[0] for address in found}:
                yield f"a search for {word} does not find {page}"
        links = {urljoin(root, link) for link in rendered(browser, root + "index.html").links}
        for page in NAVIGATION:
            if root + page not in links:
                yield f"the front page does not lead to {page}"


def links(site: Path) -> Iterator[str]:
    """Follow the links of all pages; yields those that lead nowhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urlparse(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = pages.get(target)
            if not target.exists() or (anchor and known and anchor not in known.anchors):
                yield f"{path.relative_to(site)}: {link} leads nowhere"
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")


def main() -> int:
    """Try the site that is named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("site", type=Path, help="where sphinx-build wrote it")
    site = parser.parse_args().site.resolve()
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if not (site / "index.html").exists() or browser is None:
        missing = "no browser: " + ", ".join(BROWSERS) if browser is None else f"no site in {site}"
        print(missing, file=sys.stderr)
        return 2
    problems = [*links(site), *in_browser(site, browser)]
    print("\n".join(problems) or "search, navigation and links: all found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
