#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# --output=flamegraph: the numbers in the picture are those of the other outputs of the same run, for keys, kernel and user
# stacks, sums, distributions and recorded stacks; the graphs are chosen by name.
# @needs chromium chromedriver
# @vm no: it needs a browser
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.environ["SRCDIR"] + "/tests/browser")
from browser import Browser, Flame, check, finish, skip

if os.geteuid() != 0:
    skip("needs root")
PROGRAM = """
syscall::getppid:entry /pid == $target/ {
    @both[execname, ustack(), stack()] = count();
    @size[ustack(2)] = sum(3);
    @spread[ustack(2)] = quantize(10);
    ustack(1);
    @most[ustack(2)] = max(1);
    @plain = count();
}
"""
run = subprocess.run([os.environ["DTRACE"], "--output=flamegraph:f.html", "--output=flamegraph:f.svg", "--output=json:f.json", "--output=folded:f.folded", "-qn",
                PROGRAM, "-c", os.environ["BUILD"] + "/tests/live/triggers/frames 4"], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
check("what it says", sorted(set(run.stderr.splitlines())), ["dtrace: flamegraph: @most is left out: values of max() do not add up"])
tables = {}
for line in open("f.json"):
    item = json.loads(line)
    if item["type"] == "aggregation":
        tables[item["aggregations"][0]["name"]] = item["rows"]


def name(frame):
    return f"{frame['object']}`{frame['symbol']}" if "symbol" in frame else f"{frame['object']}`" + frame.get('text', f"{frame['object']}`{frame['address']:#x}")


def expected(rows, number):
    """{path: total}, as Flame.numbers() has it, from rows of the JSON output."""
    out = {}
    for row in rows:
        keys = row["keys"]
        path = ["all"] + [k["value"] for k in keys if k["kind"] == "string"]
        for kind in ("ustack", "stack"):
            for k in keys:
                if k["kind"] == kind:
                    path += [name(f) for f in reversed(k["value"])]
        for i in range(len(path)):
            at = ";".join(path[:i + 1])
            out[at] = out.get(at, 0) + number(row["values"][0])
    return out


def choose(b, text):
    b.run("""const s = [...document.querySelectorAll('select')].find(s => [...s.options].some(o => o.text === arguments[0]));
        s.value = [...s.options].find(o => o.text === arguments[0]).value; s.dispatchEvent(new Event('change'))""", text)


def svg_labels(title):
    """What the frames below a heading of the SVG picture say that they are."""
    found, here = [], False
    for element in ET.parse("f.svg").getroot():
        if element.get("class") == "heading":
            here = element.text == title
        elif here and element.find("{http://www.w3.org/2000/svg}title") is not None:
            found.append(element.find("{http://www.w3.org/2000/svg}title").text.replace("100 %", "100.00 %").replace("20 %", "20.00 %")
                         .replace("80 %", "80.00 %"))
    return found


with Browser() as b:
    b.open("f.svg", wait=False)
    check("no script", b.find("script"), [])
    b.screenshot("flame-svg")
    b.open("f.html")
    flame = Flame(b)
    titles = [o.text for o in b.find(".graphs option")]
    check("graphs", sorted(titles), ["@both count()", "@size sum()", "@spread quantize()", "recorded stacks"])
    choose(b, "@both count()")
    want = expected(tables["both"], lambda v: v["value"])
    check("the number of all", want["all"], 5)
    check("@both", flame.numbers(), want)
    check("@both, SVG", svg_labels("@both count()"), flame.labels())
    check("kernel frames", len(b.find(".kind-kernel")) > 0)
    check("keys", len(b.find(".kind-key")), 1)
    b.screenshot("flame-live")
    choose(b, "@size sum()")
    # what the line below says about all of it
    check("@size, the words", "sum" in b.text(".flame-facts").split() and "count" not in b.text(".flame-facts").split(), True)
    check("@size", flame.numbers(), expected(tables["size"], lambda v: v["value"]))
    choose(b, "@spread quantize()")
    check("@spread", flame.numbers(), expected(tables["spread"], lambda v: sum(x["count"] for x in v["buckets"])))
    check("@spread, SVG", svg_labels("@spread quantize(): count"), flame.labels())
    choose(b, "sum (estimate)")
    # 10 is in the bucket from 8 to 15, whose middle is 11.5; four, and one
    check("@spread, the sum", flame.numbers()["all"], 46 + 11)
    check("a note", "middle of its bucket" in b.text(".flame-notes"))
    choose(b, "recorded stacks")
    check("recorded stacks", flame.numbers(), {"all": 5, "all;frames`inner": 5})
    folded = [line.rsplit(" ", 1) for line in open("f.folded")]
    check("as the folded output", sorted(int(n) for _, n in folded), sorted([1, 4] + [1, 4] + [3, 12] + [1, 1] + [5]))
finish()
