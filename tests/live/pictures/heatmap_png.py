#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# --output=heatmap:FILE.png: the file is a valid PNG, and the colour of each cell is that of its count, as the page has it.
import os
import re
import sys

from heatread import read_page, read_png, trace

if os.geteuid() != 0:
    print("needs root")
    sys.exit(77)
LEFT, TOP, BOTTOM, WHITE = 64, 24, 24, (255, 255, 255)  # src/pictures/heat_png.c
PROGRAM = """
BEGIN { n = 0; }
profile-997 { @a[cpu] = llquantize(n % 311, 10, 0, 2, 10); @b = quantize(n); @o[walltimebin[20000000]] = count(); n++; }
tick-200ms { printa(@a); printa(@b); }
tick-1500ms { exit(0); }
"""
bad = 0


def check(what, got, want):
    global bad
    if got != want:
        print(f"{what}: got {got!r}, expected {want!r}")
        bad = 1


def ramp():
    """The colours of shades 1 to 255, from the stops of the viewer."""
    text = open(os.environ["SRCDIR"] + "/viz/heat_colour.js").read()
    stops = [list(map(int, s.split(","))) for s in re.findall(r"\[(\d+, \d+, \d+)\]", re.search(r"light: \[(\[.*?\])\]", text)[1])]
    out = []
    for shade in range(255):
        at = shade / 254 * (len(stops) - 1)
        i = min(int(at), len(stops) - 2)
        out.append(tuple(int(a + (b - a) * (at - i) + 0.5) for a, b in zip(stops[i], stops[i + 1])))
    return out


def colours(m):
    """{(column, low): colour} of a map, by rank."""
    sums = {}
    for (column, low, _), count in m.cells.items():
        sums[column, low] = sums.get((column, low), 0) + count
    counts, shades = sorted(sums.values()), ramp()
    below = {count: counts.index(count) for count in counts}
    most = below[counts[-1]]
    return {place: shades[below[count] * 254 // most if most else 0] for place, count in sums.items()}


trace(PROGRAM, "heatmap:h.html", "heatmap:h.png")
maps = read_page("h.html")
width, height, pixels = read_png("h.png")
top = 0
check("maps", list(maps), ["a", "b", "o"])
for name, m in maps.items():
    row = max(1, min(12, 480 // len(m.rows)))
    start, end = m.columns[0][0], m.columns[-1][1]
    usual = sorted(b - a for a, b in m.columns)[len(m.columns) // 2]
    columns = -(-(end - start) // usual)
    wide = max(400, columns * min(20, 1000 // columns))
    want, cells = colours(m), 0
    bottom = top + TOP + row * len(m.rows)
    for i, (a, b) in enumerate(m.columns):
        left, right = (LEFT + (t - start) * wide // (end - start) for t in (a, b))
        for k, (low, _) in enumerate(m.rows):
            box = {pixels[y][x] for y in range(bottom - (k + 1) * row, bottom - k * row) for x in range(left, max(right, left + 1))}
            check(f"@{name}, column {i}, value {low}", box, {want.get((i, low), WHITE)})
            cells += (i, low) in want
    check(f"@{name}: all cells", cells, len(want))
    check(f"@{name}: a title", any(p != WHITE for line in pixels[top + 8:top + 15] for p in line), True)
    check(f"@{name}: labels", any(p != WHITE for line in pixels[top + TOP:bottom] for p in line[:LEFT - 8]), True)
    check(f"@{name}: times", any(p != WHITE for line in pixels[bottom + 7:bottom + 14] for p in line), True)
    top = bottom + BOTTOM
check("height", height, top)
sys.exit(bad)
