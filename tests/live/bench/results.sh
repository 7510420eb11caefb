#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/run -o writes the samples of each row as JSON, without the name of the machine, and a page with a plot of each row.
# A section whose noise is above the limit is measured again, and then called noisy.
# @vm no: measures, which makes no sense there
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
fail() { echo "$1"; cat err; exit 1; }

# any program that ends with status 0 can take the place of bpftrace in this section
printf '#!/bin/sh\n[ "$1" = --version ] && echo fake v1\nsleep .02\n' >bpftrace
chmod +x bpftrace
BPFTRACE=$PWD/bpftrace ROUNDS=2 NOISE=-1 REPEATS=1 "$SRCDIR/bench/run" -o noisy start >out 2>err || fail 'no measurement'
grep -q 'This section is NOISY: above the limit of -1 %. Repeated: 1' out || { cat out; fail 'not called noisy'; }
grep -q '^bench: start: noisy (.* by arithmetic, .* between halves), measured again$' err || fail 'not measured again'
OURS_ONLY=1 ROUNDS=1 NOISE=inf "$SRCDIR/bench/run" -o quiet start instructions >out 2>err || fail 'no measurement'
! grep -q NOISY out || { cat out; fail 'called noisy'; }

# values below zero, a logarithmic axis, one sample, a name that is markup
cat >odd.json <<'J'
{"machine": {"kernel": "6.1", "architecture": "x86_64", "cpu": "<b>", "cpus": 2},
 "commit": "", "date": "", "dtrace": "", "bpftrace": null, "rounds": 2, "noise_limit": 10,
 "sections": [{"name": "odd", "title": "a < b", "load": [0, 0], "incomplete": ["x < y"],
 "noise": {"arithmetic": null, "halves": 1.5, "repeated": 2, "noisy": true}, "rows": [
 {"label": "negative", "unit": "ns", "better": "less", "target": null, "ratio": null, "tools":
  {"dtrace": {"samples": [-3, -1], "untraced": 5, "median": -2, "low": -3, "high": -1, "halves": 3}}},
 {"label": "zero", "unit": "count", "better": "less", "target": 0, "ratio": null, "tools":
  {"dtrace": {"samples": [0], "untraced": 0, "median": 0, "low": 0, "high": 0, "halves": null}}},
 {"label": "far", "unit": "M/s", "better": "more", "target": 2, "ratio": 1000, "tools":
  {"dtrace": {"samples": [1], "untraced": 0, "median": 1, "low": 1, "high": 1, "halves": null},
   "bpftrace": {"samples": [1000, 2000], "untraced": 0, "median": 1500, "low": 1000, "high": 2000, "halves": 5}}}]}]}
J
mkdir odd
"$SRCDIR/bench/page.py" odd.json >odd/index.html 2>err && mv odd.json odd/results.json || fail 'no page'

python3 - "$SRCDIR" <<'P' || exit 1
import json, re, socket, sys, xml.etree.ElementTree as xml
sys.path.insert(0, sys.argv[1] + "/bench")
import figures

failures = 0
def check(ok, why):
    global failures
    if not ok:
        print("failed:", why)
        failures += 1

def look(name):
    infinite = lambda word: check(False, f"{name}: {word} is not JSON")
    results = json.load(open(name + "/results.json"), parse_constant=infinite)
    html = open(name + "/index.html").read()
    rows = [row for s in results["sections"] for row in s["rows"]]
    plots = re.findall(r"<figure>.*?(<svg.*?</svg>)\n</figure>", html, re.S)
    check(len(plots) == len(rows), f"{name}: {len(plots)} plots of {len(rows)} rows")
    for row, plot in zip(rows, plots):
        tree = xml.fromstring(plot)
        check(len(tree.findall("g")) == len(row["tools"]), f"{name}: {row['label']}: not a strip for each tool")
        samples = sum(len(t["samples"]) for t in row["tools"].values())
        check(len(list(tree.iter("circle"))) == samples, f"{name}: {row['label']}: not a dot for each sample")
        for dot in tree.iter("circle"):
            check(0 <= float(dot.get("cx")) <= 760, f"{name}: {row['label']}: a dot is outside")
    check(not re.search(r"<script|https?:|url\(|src=|<link", html), f"{name}: the page loads something")
    check("color-scheme: light dark" in html, f"{name}: one colour scheme")
    check("<b>" not in html and "x < y" not in html, f"{name}: text became markup")
    check(socket.gethostname() not in json.dumps(results), f"{name}: names the machine")
    return {s["name"]: s for s in results["sections"]}, results

sections, results = look("noisy")
start = sections["start"]
check([r["label"] for r in start["rows"]] == ["time", "CPU time", "peak memory"], "rows of start")
for row in start["rows"]:
    for tool in ("dtrace", "bpftrace"):
        t = row["tools"][tool]
        right = len(t["samples"]) == 2 and t["low"] <= t["median"] <= t["high"] == max(t["samples"])
        check(right, f"{row['label']}: {tool}: {t}")
time = start["rows"][0]
check(time["unit"] == "ms" and time["target"] == 20 and time["ratio"] > 0, f"the row of the time: {time}")
check(start["noise"]["noisy"] and start["noise"]["repeated"] == 1, f"noise: {start['noise']}")
check(results["machine"]["cpus"] > 0 and results["bpftrace"] == "fake v1" and results["rounds"] == 2, "facts")

sections, results = look("quiet")
check(not sections["start"]["noise"]["noisy"] and results["bpftrace"] is None, "quiet")
check(list(sections["start"]["rows"][0]["tools"]) == ["dtrace"], "one tool")
check(len(sections["instructions"]["rows"]) == 10, "ten one-liners")
look("odd")

check(figures.median([4, 1, 3]) == 3 and figures.median([1, 2]) == 1.5, "median")
check(figures.drift([10, 10, 99, 13, 13]) == 3, "drift")
check(figures.spread([1, 9, 2, 8]) == 7 and figures.spread([5]) is None, "spread")
row = {"unit": "ns", "untraced": 90, "samples": [10, 10, 20, 20]}
check(figures.noise([row, {**row, "unit": "count"}]) == 9.5, "noise is relative to the whole time")
sys.exit(failures != 0)
P
