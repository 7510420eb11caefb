#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The heat maps of docs/pictures.md show known events: system calls, disk requests, waits for a CPU and samples, each as the JSON
# output of the same run counts them. PostgreSQL's has a test of its own, heatmap_postgres.sh.
# @timeout 120
# @vm no: it compares pictures with what they show, and a guest has too little CPU for its samples
import os
import re
import subprocess
import sys

from heatread import SCALE, read_page, read_tables

if os.geteuid() != 0:
    print("needs root")
    sys.exit(77)
TRIGGERS = os.environ["BUILD"] + "/tests/live/triggers/"
text = open(os.environ["SRCDIR"] + "/docs/pictures.md").read()
section = re.search(r"^## Heat maps$(.*?)^## ", text, re.S | re.M)[1]
commands = dict(re.findall(r"^    dtrace --output=heatmap:(\w+)\.html -n '(.*?)'$", section, re.S | re.M))
bad = 0


def check(what, got, want=True):
    global bad
    if got != want:
        print(f"{what}: got {got!r}, expected {want!r}")
        bad = 1


def run(name, *trigger):
    """Run the command with the program TRIGGER, and return the map and the rows of the final table."""
    program = re.sub(r" tick-60s .*", "", commands[name])
    words = trigger if trigger[0] == "python3" else [TRIGGERS + trigger[0], *trigger[1:]]
    done = subprocess.run([os.environ["DTRACE"], f"--output=heatmap:{name}.html", f"--output=json:{name}.json", "-qn", program,
                           "-c", " ".join(words)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=40 * SCALE)
    check(f"{name}: status and messages", (done.returncode, done.stderr), (0, ""))
    return read_page(name + ".html")["_"], read_tables(name + ".json")["_"][-1]


def by_keys(rows, drop=0):
    out = {}
    for row in rows:
        keys = tuple(str(k["value"]) for k in row["keys"][drop:])
        v = row["values"][0]
        out[keys] = out.get(keys, 0) + (sum(b["count"] for b in v["buckets"]) if "buckets" in v else v["value"])
    return out


def compare(name, m, want):
    check(f"{name}: below zero", m.negative, 0)
    check(f"{name}: counts by key", {keys: m.total(keys=keys) for keys in {k for _, _, k in m.cells}}, want)


check("commands", sorted(commands), ["cpu", "disk", "queries", "runq", "sync", "syscalls"])

m, rows = run("syscalls", "calls", "getppid", "1000")
compare("syscalls", m, by_keys(rows))
calls = m.total(keys=("calls",))
check(f"syscalls: 1000 and some of starting and ending, {calls}", 1000 <= calls < 1100)

m, rows = run("cpu", "sched", "burn", "1200", "1")
compare("cpu", m, by_keys(rows, drop=1))
check("cpu: it shows seconds", (m.shows, len(m.rows)), ("offsets", 100))
check("cpu: a process was busy for 1.2 s", m.total() >= 900)

m, rows = run("runq", "sched", "pingpong", "200")
compare("runq", m, by_keys(rows))
check("runq: each waited for its turns", all(m.total(keys=(k,)) >= 190 for k in ("ping", "pong")))

with open("sync.py", "w") as f:
    f.write("""
import os
for i in range(7):
    with open("data", "ab") as f:
        f.write(b"x" * 5000)
        f.flush()
        os.fsync(f.fileno()) if i % 2 else os.fdatasync(f.fileno())
""")
m, rows = run("sync", "python3", "sync.py")
counts = {}
for row in rows:
    name = (row["keys"][0]["value"],)
    counts[name] = counts.get(name, 0) + sum(b["count"] for b in row["values"][0]["buckets"])
compare("sync", m, counts)
check("sync: seven by Python", counts[("python3",)], 7)
check("sync: there is a flame graph", m.graph, 0)

can = subprocess.run([TRIGGERS + "blockio", "w", "0", "512"], stdout=subprocess.DEVNULL)
if can.returncode == 77:
    print("there is no block device for disk.html")
else:
    m, rows = run("disk", "blockio", *("w 8 4096 r 8 4096 w 100 512 r 16 8192 " * 5).split())
    compare("disk", m, by_keys(rows))
    check("disk: 20 requests", max((m.total(keys=k) for _, _, k in m.cells), default=0) >= 20)
sys.exit(bad)
