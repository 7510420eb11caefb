#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# --output=heatmap: the columns and cells are what was counted between two printa(), with and without clear() and trunc(); by a
# key of type walltime_t; between two readings of what is not printed; and their sums are those of the other outputs.
import os
import sys

from heatread import read_page, read_tables, trace

if os.geteuid() != 0:
    print("needs root")
    sys.exit(77)
PROGRAM = """
BEGIN { i = n = j = 0; }
tick-1s
/i < 3/
{
    @kept["i"] = quantize(1 << i); @kept["one"] = quantize(1);
    @cleared["i"] = quantize(1 << i); @cleared["one"] = quantize(1);
    @cut["i"] = lquantize(i, 0, 10, 1); @cut["one"] = lquantize(1, 0, 10, 1);
    printa(@kept); printa(@cleared); printa(@cut);
    clear(@cleared); trunc(@cut);
    i++;
}
profile-97
{
    @bykey[walltimebin[500000000], "k"] = llquantize(n % 100, 10, 0, 2, 10);
    @offsets[walltimebin[10000000], cpu] = count();
    @weights[walltimebin[10000000]] = sum(3);
    @plain[walltimestamp, cpu] = count();
    @sampled = lquantize(n % 7, 0, 7, 1);
    @printedonce = lquantize(n % 7, 0, 7, 1);
    n++;
}
tick-1s /j++ == 3/ { exit(0); }
END { printa(@printedonce); }
"""
bad = 0


def check(what, got, want):
    global bad
    if got != want:
        print(f"{what}: got {got!r}, expected {want!r}")
        bad = 1


messages = trace(PROGRAM, "heatmap:h.html", "json:h.json")
check("messages", messages, "")
maps, tables = read_page("h.html"), read_tables("h.json")
check("maps", sorted(maps), ["bykey", "cleared", "cut", "kept", "offsets", "printedonce", "sampled", "weights"])
check("nothing below zero", {m.negative for m in maps.values()}, {0})

for name in ("kept", "cleared", "cut"):
    m = maps[name]
    want = {(i, 1, ("one",)): 1 for i in range(3)}
    want.update({(i, i if name == "cut" else 1 << i, ("i",)): 1 for i in range(3)})
    check(f"@{name}", m.cells, want)
    check(f"@{name} shows", m.shows, "printed")
    for start, end in m.columns:
        check(f"@{name}: columns of a second", 0.5e9 < end - start < 1.5e9, True)


def by_bucket(rows):
    out = {}
    for row in rows:
        for bucket in row["values"][0]["buckets"]:
            low = bucket["low"]
            out[low] = out.get(low, 0) + bucket["count"]
    return out


for name, shows in (("bykey", "by key"), ("sampled", "sampled"), ("printedonce", "sampled")):
    m = maps[name]
    check(f"@{name} shows", m.shows, shows)
    check(f"@{name}: sums", {low: m.total(low=low) for low, _ in m.rows if m.total(low=low)}, by_bucket(tables[name][-1]))
m = maps["bykey"]
starts = {row["keys"][0]["value"] for row in tables["bykey"][-1]}
check("@bykey: columns", {start for start, _ in m.columns}, starts)
check("@bykey: the type of the key", {row["keys"][0]["type"] for row in tables["bykey"][-1]}, {"walltime_t"})
check("@bykey: half seconds", {end - start for start, end in m.columns}, {500000000})
check("@bykey: rows without gaps", [low for low, _ in m.rows], [0, *range(1, 10), *range(10, 100, 10)])
check("@sampled: a column a second", 4 <= len(maps["sampled"].columns) <= 6, True)
for before, after in zip(maps["sampled"].columns, maps["sampled"].columns[1:]):
    check("@sampled: columns follow each other", before[1], after[0])

for name in ("offsets", "weights"):
    m = maps[name]
    check(f"@{name} shows", m.shows, "offsets")
    check(f"@{name}: rows of 10 ms", m.rows, [(low, low + 9999999) for low in range(0, 1000000000, 10000000)])
    want = {}
    for row in tables[name][-1]:
        time = row["keys"][0]["value"]
        keys = tuple(str(k["value"]) for k in row["keys"][1:])
        want[time // 10**9 * 10**9, time % 10**9, keys] = row["values"][0]["value"]
    check(f"@{name}", {(m.columns[c][0], low, keys): count for (c, low, keys), count in m.cells.items()}, want)
sys.exit(bad)
