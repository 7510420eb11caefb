#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The cells that are chosen in a heat map show the stacks of another aggregation that was printed at the same ticks, with the numbers
# that the other outputs have for them; one printed at other ticks is not offered.
# @needs chromium chromedriver
# @vm no: it needs a browser
# @timeout 120
# @alone
import os
import sys

sys.path.insert(0, os.environ["SRCDIR"] + "/tests/browser")
from browser import Browser, Flame, Keys, check, finish, skip, webdriver
from heatread import read_page, read_tables, trace

if os.geteuid() != 0:
    skip("needs root")
PROGRAM = """
BEGIN { n = 0; }
syscall::getppid:entry
/progenyof($target) && execname == "frames"/
{
    @v = quantize(n < 5 ? 5 : 100);
    @s[n < 5 ? "early" : "late", ustack(1)] = count();
    @own[n < 5 ? "early" : "late", ustack(1)] = quantize(1);
    @rare[stack()] = count();
    n++;
}
tick-100ms { printa(@v); printa(@s); printa(@own); ticks++; }
tick-100ms /ticks % 4 == 0/ { printa("", @rare); }
"""
frames = os.environ["BUILD"] + "/tests/live/triggers/frames"
open("phases", "w").write(f"{frames} 4\nsleep 0.7\n{frames} 9\nsleep 0.7\n")
trace(PROGRAM, "heatmap:h.html", "json:h.json", command="sh phases")
maps, tables = read_page("h.html"), read_tables("h.json")
m = maps["v"]
early, late = (next(c for c, low, _ in sorted(m.cells) if low == at) for at in (4, 64))
check("there are calls in two columns", early < late)
check("the page has the other aggregations", set(maps), {"v", "own"})


def counts(column):
    """{key: number} of what @s counted in COLUMN: each table repeats what was counted before."""
    shown = [rows for rows in tables["s"] if rows]
    now, before = ({r["keys"][0]["value"]: r["values"][0]["value"] for r in (shown[c] if c >= 0 else [])} for c in (column, column - 1))
    return {k: n - before.get(k, 0) for k, n in now.items() if n > before.get(k, 0)}


def keys(flame):
    """{key: number} of the flame graph."""
    return {path.split(";")[1]: n for path, n in flame.numbers().items() if path.count(";") == 1}


def titles(b, article):
    return b.run("return [...document.querySelectorAll('article')[arguments[0]].querySelectorAll('.heat-stacks option')].map(o => o.textContent)", article)


with Browser(height=1600) as b:
    b.open("h.html")
    flame = Flame(b)
    check("what is offered", titles(b, 0), ["@own quantize()", "@s count()"])
    check("its own first", titles(b, 1), ["@own quantize()", "@s count()"])
    b.run("document.querySelectorAll('article')[1].remove()")  # its flame graph, too
    b.run("""const s = document.querySelectorAll('.heat-stacks select')[0]; s.value = '@s count()';
        s.dispatchEvent(new Event('change'))""")
    check("all", keys(flame), {"early": 5, "late": 10})
    check("what it says", b.run("return document.querySelector('.heat-stacks .heat-note').textContent.startsWith('All of it')"))
    canvas = b.find(".heat-canvas")[0]
    b.run("arguments[0].focus()", canvas)
    b.press(Keys.END, Keys.HOME)  # from here on cells of the first column are chosen
    webdriver.ActionChains(b.driver).send_keys(Keys.ENTER).perform()
    check("the first column has the early ones", keys(flame), counts(0))
    check("... which are not all", 0 < sum(counts(0).values()) < 15)
    for _ in range(late):
        b.press(Keys.ARROW_RIGHT)
    webdriver.ActionChains(b.driver).send_keys(Keys.ENTER).perform()
    check("the late ones", keys(flame), counts(late))
    check("... which are late", set(counts(late)), {"late"})
    b.screenshot("heatmap-stacks")
    b.press(Keys.ESCAPE)
    check("all again", keys(flame), {"early": 5, "late": 10})
finish()
