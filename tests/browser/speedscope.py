#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# speedscope itself, from the npm registry, reads the file of --output=speedscope: its tables have the numbers of the folded stacks
# of the same run.
# @needs chromium chromedriver npm
# @vm no: it needs a browser
# @timeout 180
import base64
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from browser import SCALE, Browser, check, finish, skip, webdriver

VERSION = "1.25.0"
if os.geteuid():
    skip("needs root")
try:
    installed = subprocess.run(["npm", "install", "--prefix", "npm", "--cache", "cache", "--fetch-retries", "0", "--no-audit", "--no-fund", f"speedscope@{VERSION}"], timeout=60 * SCALE,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True).returncode == 0
except subprocess.TimeoutExpired:
    installed = False
page = Path("npm/node_modules/speedscope/dist/release/index.html").resolve()
if not installed or not page.exists():
    skip(f"the npm registry does not give speedscope {VERSION}")

PROGRAM = """
syscall::getppid:entry /pid == $target/ { @n[execname, ustack()] = count(); @s[ustack(2)] = sum(10); @k["<b>\\"", stack(1)] = count(); }
"""
subprocess.run([os.environ["DTRACE"], "--output=speedscope:s.json", "--output=folded:folded", "-qn", PROGRAM, "-c",
                os.environ["BUILD"] + "/tests/live/triggers/frames 4"], check=True, stdin=subprocess.DEVNULL)
file = base64.b64encode(Path("s.json").read_bytes()).decode()
Path("load.js").write_text(f'speedscope.loadFileFromBase64("s.json", "{file}")')


def folded():
    """{frame: (total, self)} of each aggregation in turn: those of @n and @s begin with the program, and only @s is of tens."""
    tables = [{}, {}, {}]
    for line in open("folded"):
        stack, number = line.rstrip("\n").rsplit(" ", 1)
        names = [re.sub(r"^[^`]*`", "", name) for name in stack.split(";")]
        table = tables[2 if "<b>" in stack else 0 if stack.startswith("frames;") else 1]
        for name in set(names):
            total, own = table.get(name, (0, 0))
            table[name] = (total + int(number), own + (int(number) if names[-1] == name else 0))
    return tables


def shown(b):
    """The table of the view "Sandwich", which has a row for each frame."""
    text = b.run("return document.body.innerText").split("Symbol Name", 1)[1]
    rows = re.findall(r"([\d,.]+) \([^)]*%\)\s+([\d,.]+) \([^)]*%\)\s+(\S.*)", text)
    return {name: (float(total.replace(",", "")), float(own.replace(",", ""))) for total, own, name in rows}


with Browser(height=1200) as b:
    b.driver.get(f"{page.as_uri()}#localProfilePath={Path('load.js').resolve()}")
    for i, (title, table) in enumerate(zip(["@n count", "@s sum", "@k count"], folded())):
        b.wait(f"return document.body && document.body.innerText.includes('{title} ({i + 1}/3)')")
        webdriver.ActionChains(b.driver).send_keys("3").perform()
        b.wait("return document.body.innerText.includes('Symbol Name')")
        check("there are frames", len(table) > 1)
        # the rows come after the heading
        for _ in range(100 * SCALE):
            if shown(b) == table:
                break
            time.sleep(0.1)
        check(title, shown(b), table)
        webdriver.ActionChains(b.driver).send_keys("n").perform()
    b.driver.get_log("browser")  # its messages and requests are its own
    b.driver.get_log("performance")
finish()
