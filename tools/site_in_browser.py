"""Try the site as a reader does: search, look at pages of three widths, follow every link.

``sphinx-build docs build/site && python tools/site_in_browser.py build/site``. Needs Chromium or
Chrome (Debian: ``apt-get install chromium``). Prints the first answer to each search;
``--screenshots FOLDER`` keeps pictures of the pages that are measured. Exit status: 0 all is well,
1 something is not found, 2 no browser or no site.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
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
    "aclnnSoftmaxBackward": "operators/softmax_backward.html",
    "layer_norm": "operators/layer_norm.html",
    "aclnnIndex": "operators/index.html",
    "torch.nn.functional.layer_norm": "operators/layer_norm.html",
    "torch.where": "operators/s_where.html",
    "npu_fusion_attention": "operators/flash_attention_score.html",
    "161002": "status-codes.html",
    "ACLNN_ERR_PARAM_INVALID": "status-codes.html",
    "EZ1001": "troubleshooting.html",
    "507015": "status-codes.html",
    "aclrtMalloc": "reference/functions.html",
    "HcclAllReduce": "reference/functions.html",
    "aclCreateTensor": "reference/functions.html",
    "stream": "concepts/streams.html",
    "race": "races.html",
    "view": "concepts/views.html",
    "plan": "concepts/plans.html",
    "torch_npu": "without-an-npu.html",
    "PYACLNN_SIM_SOC": "simulated.html",
    "port": "porting.html",
    "wheel": "wheels.html",
    "LD_LIBRARY_PATH": "real-cann.html",
}
#: Those of the searches whose page comes first: guides before the pages of operators, and an
#: operator by any of its names before what mentions it.
FIRST = (
    "stream", "race", "view", "plan", "aclnnIndex", "layer_norm", "aclnnSoftmaxBackward", "161002",
    "torch.nn.functional.layer_norm", "torch.where", "ACLNN_ERR_PARAM_INVALID", "aclrtMalloc",
    "aclCreateTensor", "torch_npu", "npu_fusion_attention",
)  # fmt: skip
#: Widths of a telephone, a laptop and a desktop.
WIDTHS = (390, 1024, 1440)
#: Of the pictures.
HEIGHT = 1400
#: Pages that fit each of these widths.
FITTING = (
    "index.html", "start.html", "porting.html", "operators.html", "operators/index.html",
    "operators/flash_attention_score.html", "status-codes.html", "reference/functions.html",
    "speed.html", "troubleshooting.html",
)  # fmt: skip
#: Pages that the front page's navigation must lead to.
NAVIGATION = ("start.html", "porting.html", "speed.html", "troubleshooting.html")


#: A page with a formula; what the table of operators is filtered by, and how many are left then.
FORMULA = "operators/softshrink_backward.html"
FILTER, LEFT = "softshrink", range(2, 20)

#: Tells as links how large the first formula of a page is, and how many operators a filter leaves.
_TRIED = """<body><script>
(async () => {
  const opened = async (page) => {
    const frame = document.createElement("iframe");
    frame.style = "width: 1440px; height: 900px; border: 0";
    frame.src = page;
    document.body.append(frame);
    await new Promise((done) => { frame.onload = done; });
    return frame.contentDocument;
  };
  const say = (text) => {
    const link = document.createElement("a");
    link.href = text;
    document.body.append(link);
  };
  const table = (await opened("FORMULA")).querySelector("math mtable");
  const box = table ? table.getBoundingClientRect() : { width: 0, height: 0 };
  say(`formula?${Math.round(box.width)}=${Math.round(box.height)}`);
  const page = await opened("operators.html");
  const filter = page.querySelector(".catalogue-filter");
  filter.value = "FILTER";
  filter.dispatchEvent(new Event("input"));
  const rows = [...page.querySelectorAll(".catalogue tbody tr")].filter((row) => !row.hidden);
  say(`filtered?${rows.length}`);
  page.querySelector(".catalogue th").click();
  const sorted = [...page.querySelectorAll(".catalogue tbody tr")];
  const order = sorted.map((row) => row.cells[0].textContent);
  say(`sorted?${order.every((name, i) => !i || order[i - 1].localeCompare(name) <= 0)}`);
})();
</script></body>"""
#: Loads pages in frames of a width, and says as links how wide they are, and how far the contents
#: of their widest table reach beyond it.
_MEASURED = """<body><script>
(async () => {
  for (const [page, width] of WANTED) {
    const frame = document.createElement("iframe");
    frame.style = `width: ${width}px; height: 900px; border: 0`;
    frame.src = page;
    document.body.append(frame);
    await new Promise((done) => { frame.onload = done; });
    const wide = frame.contentDocument.documentElement.scrollWidth;
    const tables = [...frame.contentDocument.querySelectorAll(".table-wrapper")];
    const cut = Math.max(0, ...tables.map((table) => table.scrollWidth - table.clientWidth));
    frame.remove();
    const link = document.createElement("a");
    link.href = `${page}?${width}=${wide}#${cut}`;
    document.body.append(link);
  }
})();
</script></body>"""


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        #: The links behind the heading of a search's results.
        self.results: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag refers to and can be referred to by."""
        said = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
            if "search-results" in self.anchors:
                self.results.append(said["href"])
        self.anchors.update(said[name] for name in ("id", "name") if name in said)


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site, and a page that measures pages of it."""

    def do_GET(self) -> None:
        """Answer a request."""
        place = urlparse(self.path)
        if place.path == "/measured":
            wanted = json.dumps([[page, width] for page in FITTING for width in WIDTHS])
            text = _MEASURED.replace("WANTED", wanted)
        elif place.path == "/tried":
            text = _TRIED.replace("FORMULA", FORMULA).replace("FILTER", FILTER)
        elif place.path == "/framed":
            # A window cannot be as narrow as a telephone.
            page, _, width = place.query.partition("=")
            style = f"width: {width}px; height: {HEIGHT}px; border: 0; display: block"
            text = f'<body style="margin: 0"><iframe src="{page}" style="{style}"></iframe></body>'
        else:
            return super().do_GET()
        body = f"<!doctype html>{text}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, *_: object) -> None:
        """Print nothing of each request."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder on this machine alone; yields the address."""
    handler = functools.partial(_Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _run(browser: str, *arguments: str) -> str:
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--virtual-time-budget=20000", *arguments,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout


def rendered(browser: str, address: str) -> Page:
    """Return a page as it is after its scripts have run."""
    return Page(_run(browser, "--dump-dom", address))


def searched(browser: str, root: str) -> Iterator[str]:
    """Search; prints the first answers, yields what is missing."""
    for word, page in SEARCHES.items():
        address = f"{root}search.html?q={word}"
        # The words that were looked for come with the address, to be highlighted.
        found = [
            urldefrag(urljoin(address, link))[0].partition("?")[0].removeprefix(root)
            for link in rendered(browser, address).results
        ]
        print(f"{word:<32} {found[0] if found else 'nothing'}", flush=True)
        if page not in found:
            yield f"a search for {word} does not find {page}"
        elif word in FIRST and found[0] != page:
            yield f"a search for {word} finds {found[0]} before {page}"


def looked_at(browser: str, root: str) -> Iterator[str]:
    """Measure pages, a formula, and the table of operators; yields what does not fit."""
    sizes = [urlparse(link) for link in rendered(browser, root + "measured").links]
    if len(sizes) != len(FITTING) * len(WIDTHS):
        yield f"{len(sizes)} pages were measured, not {len(FITTING) * len(WIDTHS)}"
    for size in sizes:
        width, _, wide = size.query.partition("=")
        if int(wide) > int(width):
            yield f"{size.path} is {wide} wide on a screen of {width}"
        # A border is a pixel.
        if int(size.fragment) > 1:
            yield f"a table of {size.path} is cut by {size.fragment} on a screen of {width}"
    said = [urlparse(link) for link in rendered(browser, root + "tried").links]
    tried = {one.path: one.query for one in said}
    width, _, height = tried.get("formula", "0=0").partition("=")
    # Two cases stand below one another, beside their conditions.
    if int(width) < 100 or int(height) < 30:
        yield f"the formula of {FORMULA} is {width} by {height}: it is not typeset"
    if int(tried.get("filtered", "0")) not in LEFT:
        yield f"the filter {FILTER} leaves {tried.get('filtered')} operators"
    if tried.get("sorted") != "true":
        yield "a click on the heading does not sort the operators"
    links = {urljoin(root, link) for link in rendered(browser, root + "index.html").links}
    for page in NAVIGATION:
        if root + page not in links:
            yield f"the front page does not lead to {page}"


def take_pictures(browser: str, root: str, folder: Path) -> None:
    """Write a picture of each page that is measured, in each width."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in FITTING:
        for width in WIDTHS:
            file = folder / f"{page.removesuffix('.html').replace('/', '-')}-{width}.png"
            size = f"--window-size={max(width, 500)},{HEIGHT}"
            _run(browser, f"--screenshot={file}", size, f"{root}framed?/{page}={width}")


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
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="keep pictures there")
    options = parser.parse_args()
    site = options.site.resolve()
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if not (site / "index.html").exists() or browser is None:
        missing = "no browser: " + ", ".join(BROWSERS) if browser is None else f"no site in {site}"
        print(missing, file=sys.stderr)
        return 2
    problems = list(links(site))
    with served(site) as root:
        problems += [*searched(browser, root), *looked_at(browser, root)]
        if options.screenshots:
            take_pictures(browser, root, options.screenshots.resolve())
    print("\n".join(problems) or "search, widths, formulas, navigation and links: all found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
