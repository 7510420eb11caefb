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


def find_slow(b):
    """Select the cell with values in the highest row of the heat map, by keys; true if there is one."""
    b.run("document.querySelector('.heat-canvas').focus()")
    b.press(Keys.HOME, *[Keys.ARROW_UP] * 40)
    for _ in range(60):
        if not b.text(".heat-status").endswith(": 0"):
            b.press(Keys.RETURN)
            return True
        b.press(Keys.ARROW_RIGHT)
    return False


def visit(b, url, slow):
    end = time.time() + MINUTE
    while time.time() < end:
        b.driver.get(url)
        b.wait("return document.querySelector('.status') && document.querySelector('.status').textContent !== 'Waiting for data'")
        if "writes" in b.run("return document.body.textContent") and b.find(".heat-canvas"):
            choose(b, "Decompose by", "0")
            b.wait("return document.querySelector('.heat-keys')")
            if find_slow(b):
                b.wait("return document.querySelector('.fleet-parts table')")
                if hosts(b) == [slow]:
                    break
        time.sleep(2)
    check("the host of the highest cell", hosts(b), [slow])
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
