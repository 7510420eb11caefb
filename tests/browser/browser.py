# SPDX-License-Identifier: Apache-2.0
"""Opens pictures in headless Chromium, for tests; and makes pictures for it.

    with Browser() as b:
        b.open("picture.html")
        check(b.find(".flame-frame")...)

Leaving the block checks that the page caused no message on the console and made no network request. A test ends with
finish(), and says with needs() what it cannot do without.
"""
import base64
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

BUILD = Path(os.environ["BUILD"])
SCALE = int(os.environ.get("TIMEOUT_SCALE", "1"))
KINDS = ["key", "kernel", "library", "program", "interpreted", "baseline", "jit", "inlined", "unknown"]  # enum frame_kind
failures = 0


def skip(why):
    print(why)
    sys.exit(77)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.common.print_page_options import PrintOptions
except ImportError:
    skip("needs python3-selenium")


def check(what, got, expected=True):
    """Print a failure if GOT is not EXPECTED."""
    global failures
    if got != expected:
        print(f"{what}: got {got!r}, expected {expected!r}")
        failures += 1


def finish():
    sys.exit(1 if failures else 0)


# ---- pictures

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def put_numbers(numbers):
    """A list of numbers as src/pictures/picture.h has it."""
    out = []
    for n in numbers:
        while n > 31:
            out.append(DIGITS[32 | n & 31])
            n >>= 5
        out.append(DIGITS[n])
    return "".join(out)


class Picture:
    """A picture of one graph, from stacks: frames are names or (name, object, kind, file, line)."""

    def __init__(self, values=("count",), **members):
        self.members = {"name": "a", "function": "count", "values": list(values), "about": False, "negative": 0, **members}
        self.root = {}
        self.frames = {}

    def add(self, stack, *numbers):
        node, children = None, self.root
        for frame in stack:
            frame = (frame, "", "program", "", 0) if isinstance(frame, str) else tuple(frame) + ("", 0)[len(frame) - 3:]
            self.frames.setdefault(frame, len(self.frames))
            node = children.setdefault(frame, [[0] * len(self.members["values"]), {}])
            children = node[1]
        node[0] = [a + b for a, b in zip(node[0], numbers)]

    def nodes(self):
        numbers, before = [], 0
        todo = [(frame, node, 1) for frame, node in sorted(self.root.items(), reverse=True)]
        while todo:
            frame, (values, children), depth = todo.pop()
            numbers += [before + 1 - depth, self.frames[frame], *values]
            before = depth
            todo += [(f, n, depth + 1) for f, n in sorted(children.items(), reverse=True)]
        return put_numbers(numbers)

    def data(self):
        words = [[], [], []]
        numbers = []
        for name, obj, kind, file, line in self.frames:
            for k, text in enumerate((name, obj, file)):
                if text not in words[k]:
                    words[k].append(text)
                numbers.append(words[k].index(text))
            numbers += [line, KINDS.index(kind)]
        return {"show": "flamegraph",
                "frames": {"names": words[0], "objects": words[1], "files": words[2], "list": put_numbers(numbers)},
                "graphs": [{**self.members, "nodes": self.nodes()}]}


def write_page(path, data):
    """A page as src/pictures/page.c writes it."""
    def embedded(name):
        text = (BUILD / "viz" / name).read_text()
        return text, base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    script, script_hash = embedded("viewer.js")
    style, style_hash = embedded("viewer.css")
    picture = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    Path(path).write_text(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; script-src 'sha256-{script_hash}'; style-src 'sha256-{style_hash}'\">\n"
        f"<title>Flame graph</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<script type="application/json" id="picture">{picture}</script>\n<script>{script}</script>\n</body>\n</html>\n',
        encoding="utf-8", errors="surrogatepass")


# ---- the browser

class Browser:
    def __init__(self, width=1200, height=800, dark=False):
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        if not chromium or not driver:
            skip("needs chromium and chromedriver (package chromium-driver)")
        self.profile = tempfile.TemporaryDirectory(prefix="profile", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for word in ("--headless=new", f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-gpu",
                     "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--hide-scrollbars",
                     "--disable-crash-reporter", "--disable-breakpad", "about:blank"):
            options.add_argument(word)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        if dark:
            options.add_argument("--force-dark-mode")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_window_size(width, height)
        self.opened = []
        self.allowed = ()  # what the addresses of other requests may begin with
        # the new tab's own page is none of ours
        self.driver.get("about:blank")
        for log in ("browser", "performance"):
            self.driver.get_log(log)

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        try:
            if kind is None:
                self.check_quiet()
        finally:
            self.driver.quit()
            self.profile.cleanup()

    def open(self, path, wait=True):
        """Open a file and wait until its picture is drawn. Returns the milliseconds that took."""
        url = Path(path).resolve().as_uri()
        self.opened.append(url)
        self.driver.get(url)
        if not wait:
            return None
        self.wait("return performance.getEntriesByName('shown').length")
        return self.run("return performance.getEntriesByName('shown')[0].startTime")

    def wait(self, script, seconds=10):
        """Wait until SCRIPT returns what counts as true; returns it."""
        end = time.monotonic() + seconds * SCALE
        while not (value := self.run(script)):
            if time.monotonic() > end:
                check(f"waited for {script}", value, "something true")
                return value
            time.sleep(0.02)
        return value

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def devtools(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def find(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The text of the first element, drawn or not."""
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def button(self, text):
        return self.driver.find_element(By.XPATH, f"//button[normalize-space()='{text}']")

    def press(self, *keys):
        """Press keys where the focus is."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def press_with(self, held, *keys):
        """Press keys while one is held."""
        webdriver.ActionChains(self.driver).key_down(held).send_keys(*keys).key_up(held).perform()

    def hover(self, element):
        webdriver.ActionChains(self.driver).move_to_element(element).perform()

    def screenshot(self, name):
        """Keep a picture of the window in $BUILD/screenshots/."""
        folder = BUILD / "screenshots"
        folder.mkdir(exist_ok=True)
        self.driver.save_screenshot(str(folder / f"{name}.png"))

    def check_quiet(self):
        """No message on the console since the last call, and no request but for the files that were opened."""
        for entry in self.driver.get_log("browser"):
            check("message on the console", entry["message"], None)
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if url not in self.opened and not url.startswith(("data:", "about:", *self.allowed)):
                    check("network request", url, None)


class Flame:
    """The flame graph of the page, as numbers. A frame is (name, depth, share of the width in percent)."""

    def __init__(self, browser):
        self.browser = browser

    def labels(self):
        """The labels of the drawn frames, parents before children."""
        return self.browser.run("return [...document.querySelectorAll('.flame-frame')].map(e => e.getAttribute('aria-label'))")

    def frames(self):
        return [tuple(f) for f in self.browser.run("""return [...document.querySelectorAll('.flame-frame')].map(e =>
            [e.getAttribute('aria-label').replace(/, [^,]* %, .*/, ''), Number(e.getAttribute('aria-level')) - 1,
             Math.round(100 * parseFloat(e.style.width)) / 100])""")]

    def numbers(self):
        """{path: number} of all drawn frames; the graph must not be zoomed."""
        path, out = [], {}
        for label, (name, depth, _) in zip(self.labels(), self.frames()):
            path = path[:depth] + [name]
            out[";".join(path)] = float(label.rsplit(" %, ", 1)[1].replace(",", ""))
        return out

    def frame(self, name):
        """The first frame with this label's name."""
        for element in self.browser.find(".flame-frame"):
            if element.get_attribute("aria-label").startswith(name + ", "):
                return element
        raise LookupError(name)

    def search(self, text):
        """Search for TEXT; returns the result that is shown."""
        field = self.browser.one(".flame-toolbar input")
        field.clear()
        field.send_keys(text)
        return self.browser.text(".flame-result")

    def details(self):
        return self.browser.text(".flame-details")
