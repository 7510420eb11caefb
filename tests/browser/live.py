#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The page of --web: tables, distributions, heat maps and flame graphs that change, and the end.
# @needs chromium chromedriver
import os
import re
import signal
import subprocess
import sys
import time

from browser import Browser, Flame, check, finish

if os.geteuid():
    print("needs root")
    sys.exit(77)

PROGRAM = """
tick-20ms { @n["<b>&key", i++ % 3] = count(); @q[probename] = lquantize(i % 10, 0, 10, 5); }
profile-97 /!(j++ % 2)/ { @stacks[stack()] = count(); }
tick-20ms /i == 3000/ { exit(0); }
"""
tracer = subprocess.Popen([os.environ["DTRACE"], "--web", "-qn", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
line = tracer.stderr.readline()
if "libmicrohttpd" in line:
    print(line)
    sys.exit(77)
url = line.split()[-1]
started = time.monotonic()

with Browser() as b:
    b.opened += [url, url + "events"]
    b.driver.get(url)
    b.wait("return document.querySelectorAll('table.aggregation').length == 2 + 1")
    b.wait("return document.querySelector('.status').textContent == 'Live'")
    first = b.text("table.aggregation")
    b.wait("return document.querySelector('.flame-frame')")
    b.wait(f"return document.querySelector('table.aggregation').textContent != {first!r}")
    b.wait("return document.querySelector('.heat-summary')")
    map_summary = b.text(".heat-summary")
    # the list of keys is made anew each second: an element that was found may be gone before a click
    b.run("[...document.querySelectorAll('button')].find(button => button.textContent === 'Only').click()")
    b.wait(f"return document.querySelector('.heat-summary').textContent != {map_summary!r}")
    b.run("document.querySelector('details.stack summary').click()")
    b.wait("return document.querySelector('details.stack[open] li')")
    b.run("document.querySelector('details.stack summary').focus()")
    number = "[...document.querySelectorAll('table.aggregation')].pop().textContent"
    b.run(f"window.before = {number}")
    b.wait(f"return {number} != window.before")
    check("a stack stays open while its number changes", len(b.find("details.stack[open]")), 1)
    check("... and has the focus", b.run("return document.activeElement.tagName"), "SUMMARY")
    check("no markup from keys", len(b.find("table b")), 0)
    check("titles", [e.text.split(",")[0] for e in b.find("table.aggregation caption")], ["@n count()", "@q lquantize()", "@stacks count()"])
    b.screenshot("live")
    tracer.send_signal(signal.SIGINT)
    text, _ = tracer.communicate()
    b.wait("return document.querySelector('.status').textContent == 'Tracing has ended'")

    # a column for each second or so, and all values but those before the page was opened
    columns = int(re.search(r"in (\d+) columns", b.text(".heat-summary"))[1])
    check("columns", 2 <= columns <= time.monotonic() - started + 2, True)

    # the numbers are those of the text output
    rows = [[cell.text for cell in row.find_elements("css selector", "td")] for row in b.find("table.aggregation")[0].find_elements("css selector", "tr")]
    want = [[m[1], m[2], m[3]] for m in re.finditer(r"^ +(<b>&key) +(\d) +(\d+)$", text, re.M)]
    check("rows, the largest first", sorted(rows), sorted(want))
    check("three of them", len(rows), 3)
    buckets = [[cell.text for cell in row.find_elements("css selector", "td.number")] for row in b.find("table.aggregation")[1].find_elements("css selector", "tr")]
    bars = {int(m[1]): int(m[2]) for m in re.finditer(r"^ +(\d+) \|@* +([1-9]\d*) *$", text, re.M)}
    check("buckets", buckets, [[], ["0 to 4", str(bars[0])], ["5 to 9", str(bars[5])]])
    frames = b.run("""return [...document.querySelector('details.stack[open]').querySelectorAll('summary, li')].map(e => e.textContent)""")
    printed = [[line.strip() for line in stack.splitlines()]
               for stack in re.findall(r"^\n((?: {14}[^ \d].*\n)+)", text, re.M)]  # a count has digits alone
    check("all frames of a stack, innermost first", frames if frames in printed else printed, frames)
    check("more than one", len(frames) > 1)
    total = sum(int(n) for n in re.findall(r"^ +(\d+)$", text, re.M))
    check("samples", Flame(b).labels()[0], f"all, 100.00 %, {total:,}")
finish()
