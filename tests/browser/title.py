#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Pages that dtrace writes open at their title, which says program, command, host, time and unit; a heat map has a scale, and the
# pointer shows the value of the cell that it is on.
# @needs chromium chromedriver
# @vm no: it needs a browser
import os
import re
import socket
import subprocess
import sys
import time

from browser import Browser, Flame, check, finish, skip, webdriver

if os.geteuid() != 0:
    skip("needs root")
HOST = socket.gethostname()
FRAMES = os.environ["BUILD"] + "/tests/live/triggers/frames 600"
CALLS = 'syscall::getppid:entry /pid == $target/ { @s[ustack()] = count(); @q[i++ & 1] = quantize(i < 100 ? 5 : 100); }'


def trace(*words):
    began = time.time()
    run = subprocess.run([os.environ["DTRACE"], "-q", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    check("messages", (run.returncode, run.stderr), (0, ""))
    return began


def origin(b):
    """{label: text} of the line below the title."""
    return dict(b.run("return [...document.querySelectorAll('.origin > span')].map(e => [...e.children].map(part => part.textContent))"))


began = trace("-n", CALLS, "-c", FRAMES, "--output=flamegraph:f.html", "--output=heatmap:h.html")
with open("script <&>.d", "w") as script:
    script.write(CALLS + "\n")
trace("-s", "script <&>.d", "-c", FRAMES, "--output=flamegraph:s.html")

# saved results say the same, and those of an older dtrace, which have none of it, the name of their file
began = time.time()
trace("-n", CALLS, "-c", FRAMES, "--output=json:saved.json")
with open("saved.json") as new, open("old <&>.json", "w") as old:
    old.write(re.sub(r',"about":{.*}}', "}", new.read(), count=1))
for name in "saved", "old <&>":
    trace(f"--view={name}.json", f"--output=flamegraph:{name}.html", f"--output=heatmap:{name}-heat.html")

with Browser(800, 300) as b:
    for page, title in ("saved.html", "Flame graph"), ("saved-heat.html", "Heat map"):
        b.open(page)
        check("the title of saved results", (b.driver.title, b.text("h1")), (f"{title} on {HOST}",) * 2)
        said = origin(b)
        check("what saved results are about", [said[k] for k in ("Program", "Command", "Host", "File")], [CALLS, FRAMES, HOST, "saved.json"])
        at = time.mktime(time.strptime(said["Time"], "%Y-%m-%d %H:%M:%S"))
        check("when they were made", began - 2 <= at <= time.time(), True)
    for page, title in ("old <&>.html", "Flame graph"), ("old <&>-heat.html", "Heat map"):
        b.open(page)
        check("the title of older results", b.text("h1"), title)
        check("what is known of them", origin(b), {"File": "old <&>.json"})

    b.open("f.html")
    check("the title", (b.driver.title, b.text("h1")), (f"Flame graph on {HOST}",) * 2)
    said = origin(b)
    check("what it is about", (said["Program"], said["Command"], said["Host"]), (CALLS, FRAMES, HOST))
    at = time.mktime(time.strptime(said["Time"], "%Y-%m-%d %H:%M:%S"))
    check("when", began - 2 <= at <= time.time(), True)
    check("the unit", b.text(".unit"), "Width: how often the probe fired.")
    check("it is higher than the window", b.run("return document.documentElement.scrollHeight > innerHeight"))
    check("it opens at its title", (b.run("return scrollY"), b.one("h1").rect["y"] < 50), (0, True))

    b.open("s.html")
    check("a script", (b.driver.title, origin(b)["Program"]), (f"Flame graph of script <&> on {HOST}", "script <&>.d"))

with Browser(1200, 900) as b:
    b.open("h.html")
    check("the title", b.text("h1"), f"Heat map on {HOST}")
    check("what it is about", (origin(b)["Program"], origin(b)["Command"]), (CALLS, FRAMES))
    check("rows", "Rows are the values that quantize() got." in b.text(".heat-summary"))
    least, labels = (b.run("return document.querySelectorAll('.heat-scale span')[arguments[0]].textContent", i) for i in (1, 2))
    counts = [int(n.replace(",", "")) for n in [least, *re.fullmatch(r"([\d,]+), in the middle ([\d,]+)", labels).groups()]]
    most = int(re.search(r"at most ([\d,]+) in a cell", b.text(".heat-summary"))[1].replace(",", ""))
    check("a scale, from the least to the most", (counts[0] <= counts[2] <= counts[1], counts[1]), (True, most))
    check("of several colours", b.run("""const c = document.querySelector('.heat-scale canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, 1).data;
        return new Set(Array.from({length: c.width}, (_, i) => d.slice(4 * i, 4 * i + 3).join())).size > 200"""))
    canvas = b.one(".heat-canvas")
    check("no tip without the pointer", b.one(".heat-tip").is_displayed(), False)
    # the program is too short for a second column
    seen = set()
    for y in range(-canvas.rect["height"] // 2 + 12, canvas.rect["height"] // 2 - 30, 8):
        webdriver.ActionChains(b.driver).move_to_element_with_offset(canvas, 200, y).perform()
        text = b.text(".heat-tip")
        check("the tip", b.one(".heat-tip").is_displayed())
        seen.add(re.sub(r"^.*, ", "", text))
    check("values under the pointer", {s for s in seen if not s.endswith(": 0")}, {"4 to 7: 99", "64 to 127: 502"})
    b.screenshot("heat-tip")
    webdriver.ActionChains(b.driver).move_to_element(b.one("h1")).perform()
    check("no tip elsewhere", b.one(".heat-tip").is_displayed(), False)
finish()
