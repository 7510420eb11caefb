#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# An hour of 10 ms columns with 64 rows: the time to open it, to zoom, to move, to hide a key and to choose a range. The limits are
# several times what an idle machine takes, and tell apart only what grows too fast.
# @needs chromium chromedriver
# @timeout 120
import os
import random

from browser import SCALE, Browser, check, finish, put_numbers, write_page

COLUMNS, ROWS, CELLS = 360000, 64, 4
made = random.Random(7)
columns, cells, total, slow = [], [], 0, 0
for column in range(COLUMNS):
    columns += [0, 10000000 + made.randrange(-20000, 20000)]
    middle = 20 + column % 20
    rows = sorted({min(ROWS - 1, max(0, int(made.gauss(middle, 6)))) for _ in range(CELLS)})
    cells += [1 if column else 0, len(rows)]
    for row in rows:
        count = made.randrange(1, 50)
        cells += [row, column % 3, count]
        total += count
        slow += count if row >= 40 else 0
data = {
    "show": "heatmap", "frames": {"names": [], "objects": [], "files": [], "list": ""}, "graphs": [],
    "heatmaps": [{
        "name": "a", "function": "llquantize", "shows": "printed", "negative": 0, "start": "1700000000000000000",
        "columns": put_numbers(columns), "rows": [[str(i * 1000), str(i * 1000 + 999)] for i in range(ROWS)],
        "keys": [["one"], ["two"], ["three"]], "series": put_numbers([0, 0, 1, 0, 2, 0]), "cells": put_numbers(cells),
    }],
}
write_page("large.html", data)

# The milliseconds that each of several events takes, the picture drawn.
TIMED = """
const canvas = document.querySelector('.heat-canvas'), box = canvas.getBoundingClientRect(), took = [];
const context = canvas.getContext('2d');
for (let i = 0; i < %d; i++) {
    const start = performance.now();
    %s;
    context.getTransform();
    took.push(performance.now() - start);
}
return took;
"""
WHEEL = """canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: %s, deltaX: %s, clientX: box.left + 400, clientY: box.top + 50,
    cancelable: true}))"""
PRESS = "canvas.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', shiftKey: %s}))"


def middle(times):
    return sorted(times)[len(times) // 2]


with Browser() as b:
    opened = min(b.open("large.html") for _ in range(2))
    check("the summary", b.text(".heat-summary").startswith(f"{total:,} values in 360,000 columns"))
    b.screenshot("heatmap-large")
    took = {
        "zoom": b.run(TIMED % (40, WHEEL % (-120, 0))),
        "move": b.run(TIMED % (60, WHEEL % (0, 40))),
        "zoom out": b.run(TIMED % (40, WHEEL % (120, 0))),
        "move the cursor": b.run(TIMED % (40, PRESS % ("ArrowRight", "false"))),
        "hide a key": b.run(TIMED % (2, "document.querySelector('[data-hide=\"0\"]').click()")),
    }
    b.run(TIMED % (1, PRESS % ("Home", "false")))
    b.run(TIMED % (70, PRESS % ("ArrowUp", "false")))
    took["choose a range"] = b.run(TIMED % (1, PRESS % ("End", "true")))
    b.run(TIMED % (23, PRESS % ("ArrowDown", "true")))
    check("the range", b.text(".heat-count"), f"{slow:,} values")
    took = {what: middle(times) for what, times in took.items()}
    print(f"{os.path.getsize('large.html') / 1e6:.1f} MB, {len(cells) // 3} numbers; ms: open {opened:.0f}, " +
          ", ".join(f"{what} {ms:.1f}" for what, ms in took.items()))
    limits = {"zoom": 100, "move": 100, "zoom out": 100, "move the cursor": 150, "hide a key": 4000, "choose a range": 1000}
    for what, limit in {"open": 8000, **limits}.items():
        ms = opened if what == "open" else took[what]
        if ms > limit * SCALE:
            check(f"milliseconds to {what}", round(ms), f"at most {limit * SCALE}")
finish()
