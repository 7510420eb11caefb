#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# make demo-fleet: the slow host stands out in the heat map, and a click on its cell leads to the function that waits. Nothing is left.
# @needs chromium chromedriver clickhouse-server clickhouse-client
# @timeout 240
import os
import signal
import subprocess
import time
from pathlib import Path

from browser import SCALE, Browser, Flame, Keys, check, finish, skip

SRC = Path(os.environ["SRCDIR"])
MINUTE = 60 * SCALE
MANY = 20  # waits


def left():
    """What the demonstration makes outside of its processes."""
    groups = [str(p) for p in Path("/sys/fs/cgroup").glob("**/demo-fleet-*")]
    disks = [line for line in subprocess.run(["losetup", "-a"], capture_output=True, text=True).stdout.splitlines() if "/demo-fleet." in line]
    return groups + disks + [str(p) for p in Path("/tmp").glob("demo-fleet.*")]


def choose(b, label, value):
    b.run("""const s = [...document.querySelectorAll('.fleet-form label')].find(l => l.firstChild.textContent === arguments[0]).querySelector('select');
        s.value = arguments[1]; s.dispatchEvent(new Event('change'))""", label, value)


def hosts(b):
    """[[host, count], ...] of the selected cells, the one with most first."""
    return b.run("""return [...document.querySelectorAll(".fleet-parts table[data-part='0'] tbody tr")].map(row =>
        [row.cells[0].textContent, Number(row.cells[1].textContent.replaceAll(',', ''))])""")


def read_row(b):
    """The counts in the cells of the cursor's row, from the first; the cursor is in the last one then."""
    counts, before = [], None
    b.press(Keys.HOME)
    while (text := b.text(".heat-status")) != before:
        counts.append(int(text.rsplit(": ", 1)[1].replace(",", "")))
        before = text
        b.press(Keys.ARROW_RIGHT)
    return counts


def find_band(b):
    """Put the cursor into the last cell of the highest band of the heat map, by keys. Returns the counts of its cells, None if there is
    none. A cell, or a few waits, is no band: a busy machine makes some."""
    b.run("document.querySelector('.heat-canvas').focus()")
    b.press(*[Keys.ARROW_UP] * 40)
    for _ in range(12):
        counts = read_row(b)
        if sum(1 for count in counts if count) >= 5 and sum(counts) >= MANY:
            return counts
        b.press(Keys.ARROW_DOWN)
    return None


def select(b, press):
    """The hosts of the cells that PRESS selects."""
    b.run("document.querySelector('.fleet-parts').replaceChildren()")
    press()
    b.wait("return document.querySelector('.fleet-parts table')", MINUTE)
    return hosts(b)


def stands_out(b, slow):
    """True if this host has twice as much of the band as any other: on a busy machine the others wait long as well, but seldom."""
    b.press(Keys.HOME)
    found = select(b, lambda: b.press_with(Keys.SHIFT, Keys.END))
    return found[0][0] == slow and (len(found) == 1 or found[0][1] >= 2 * found[1][1])


def choose_largest(b, counts):
    """Select the cell of the cursor's row that has most, twice at once, which is like once."""
    back = len(counts) - 1 - counts.index(max(counts))
    b.press(Keys.END, *[Keys.ARROW_LEFT] * back, Keys.RETURN, Keys.RETURN)


def answered(b):
    b.wait("const s = document.querySelector('.status'); return s && s.textContent !== 'Asking'", MINUTE)


def visit(b, url, slow):
    end, seen = time.time() + MINUTE, False
    while not seen and time.time() < end:
        time.sleep(2)
        b.driver.get(url)
        answered(b)
        if "writes" in b.run("return document.body.textContent") and b.find(".heat-canvas"):
            choose(b, "Decompose by", "0")
            b.wait("return document.querySelector('.heat-keys')")
            answered(b)
            counts = find_band(b)
            seen = counts and stands_out(b, slow)
    check("the slow host has most of the highest band", seen or hosts(b))
    if not seen:
        return
    check("and of its largest cell", select(b, lambda: choose_largest(b, counts))[0][0], slow)
    b.wait("return document.querySelector('.flame-frame')")
    frames = [f[0] for f in Flame(b).frames()]
    check("the function that waits", any("commit" in f for f in frames) or frames)
    check("its caller", any("handle_order" in f for f in frames) or frames)
    b.screenshot("demo-fleet")


def main():
    before = left()
    demo = subprocess.Popen([SRC / "examples/fleet/demo", os.environ["DTRACE"]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "ANSWER": os.path.abspath("answer")})
    try:
        lines = []
        for line in demo.stdout:
            lines.append(line)
            if line.startswith("dtrace: open"):
                break
        else:
            if demo.wait() == 77:
                skip(lines[-1])
            print(*lines, sep="")
            check("the demonstration's status", demo.returncode, 0)
            return
        url = lines[-1].split()[-1]
        with Browser(height=1600) as b:
            b.allowed = (url,)
            visit(b, url, Path("answer").read_text().strip())
    finally:
        demo.send_signal(signal.SIGTERM)
        demo.stdout.read()
        demo.wait()
    check("nothing is left", left(), before)


main()
finish()
