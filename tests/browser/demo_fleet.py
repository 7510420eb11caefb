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


def left():
    """What the demonstration makes outside of its processes."""
    groups = [str(p) for p in Path("/sys/fs/cgroup").glob("**/demo-fleet-*")]
    disks = [line for line in subprocess.run(["losetup", "-a"], capture_output=True, text=True).stdout.splitlines() if "/demo-fleet." in line]
    return groups + disks + [str(p) for p in Path("/tmp").glob("demo-fleet.*")]


def choose(b, label, value):
    b.run("""const s = [...document.querySelectorAll('.fleet-form label')].find(l => l.firstChild.textContent === arguments[0]).querySelector('select');
        s.value = arguments[1]; s.dispatchEvent(new Event('change'))""", label, value)


def hosts(b):
    return [e.text for e in b.find(".fleet-parts table[data-part='0'] tbody th")]


def read_row(b):
    """The counts in the cells of the cursor's row, from the first; the cursor is in the last one then."""
    counts, before = [], None
    b.press(Keys.HOME)
    while (text := b.text(".heat-status")) != before:
        counts.append(int(text.rsplit(": ", 1)[1].replace(",", "")))
        before = text
        b.press(Keys.ARROW_RIGHT)
    return counts


def find_slow(b):
    """Select the largest cell of the highest band of the heat map, by keys; true if there is one. One cell is no band: a busy machine
    makes some."""
    b.run("document.querySelector('.heat-canvas').focus()")
    b.press(*[Keys.ARROW_UP] * 40)
    for _ in range(12):
        counts = read_row(b)
        if sum(1 for count in counts if count) >= 5:
            back = len(counts) - 1 - counts.index(max(counts))
            b.press(*[Keys.ARROW_LEFT] * back, Keys.RETURN)
            return True
        b.press(Keys.ARROW_DOWN)
    return False


def answered(b):
    b.wait("const s = document.querySelector('.status'); return s && s.textContent !== 'Asking'", MINUTE)


def visit(b, url, slow):
    end = time.time() + MINUTE
    while time.time() < end:
        b.driver.get(url)
        answered(b)
        if "writes" in b.run("return document.body.textContent") and b.find(".heat-canvas"):
            choose(b, "Decompose by", "0")
            b.wait("return document.querySelector('.heat-keys')")
            answered(b)
            if find_slow(b):
                b.wait("return document.querySelector('.fleet-parts table')")
                if hosts(b)[:1] == [slow]:
                    break
        time.sleep(2)
    check("most of the largest cell of the highest band", hosts(b)[:1], [slow])
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
