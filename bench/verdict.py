#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare two versions of dtrace by the JSON of bench/run.

    bench/verdict.py [-s] SERIES [SERIES]

A series is a folder with base.N/results.json and now.N/results.json, one pair a round. -s prints the sections in which a row
differs. Otherwise a table is printed, and the status is 1 if a row got slower or larger. With two series the second one has
only some sections: its figures are printed for them, and a difference is named only if both series have it.

A difference of the medians is named if it is larger than both that between two halves of the samples of one version, however
they are divided (the noise), and MARGIN per cent of what was measured (environment, 2).
"""
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from figures import median, spread

MARGIN = float(os.environ.get("MARGIN") or 2)
LABEL = 60  # of a row, characters that are shown
WORSE = ("slower", "larger", "missing")


def read_series(folder):
    """{(section, row): {"base": [...], "now": [...], "untraced": [...], "unit", "better"}}, in the order of the rows."""
    rows = {}
    for who in ("now", "base"):
        for path in sorted(folder.glob(f"{who}.*/results.json")):
            for section in json.loads(path.read_text())["sections"]:
                for row in section["rows"]:
                    add_samples(rows, section["name"], row, who)
    return rows


def add_samples(rows, section, row, who):
    tool = row["tools"].get("dtrace")
    if tool:
        entry = rows.setdefault((section, row["label"]), {
            "base": [], "now": [], "untraced": [], "unit": row["unit"], "better": row["better"]})
        entry[who] += tool["samples"]
        entry["untraced"].append(tool["untraced"])


def words(row):
    """The names of a difference for the worse and for the better."""
    return ("slower", "faster") if row["unit"] not in ("MiB", "count", "instructions") else ("larger", "smaller")


def judge(row):
    """(noise, verdict) of a row."""
    base, now = row["base"], row["now"]
    if not base or not now:
        return None, "missing" if base else "new"
    apart = [spread(base), spread(now)]
    if None in apart:
        return None, "unknown"
    difference, noise = median(now) - median(base), max(apart)
    if row["unit"] == "lines":
        return noise, "same" if difference == 0 else "other"
    if abs(difference) <= max(noise, MARGIN / 100 * (abs(median(base)) + median(row["untraced"]))):
        return noise, "same"
    return noise, words(row)[(difference < 0) == (row["better"] == "less")]


def differs(verdict):
    return verdict in ("slower", "faster", "larger", "smaller")


def verdicts(series):
    """[(name, row, noise, verdict)]: the second series is that of the rows it has."""
    out = []
    for key, row in series[0].items():
        noise, verdict = judge(row)
        if len(series) > 1 and key in series[1]:
            row, first = series[1][key], verdict
            noise, verdict = judge(row)
            if differs(verdict) and verdict != first:
                verdict = "same"
        label = key[1] if len(key[1]) <= LABEL else key[1][:LABEL - 3] + "..."
        out.append((f"{key[0]}: {label}, {row['unit']}", row, noise, verdict))
    return out


def figure(value):
    return "-" if value is None else f"{value:.2f}"


def cells(name, row, noise, verdict):
    base, now = (median(row[who]) if row[who] else None for who in ("base", "now"))
    ratio = now / base if now is not None and base is not None and base > 0 else None
    return name, figure(base), figure(now), figure(ratio), figure(noise), verdict


def print_table(lines):
    lines = [("row", "base", "now", "ratio", "noise", "verdict"), *lines]
    width = [max(len(line[i]) for line in lines) for i in range(6)]
    for line in lines:
        numbers = "  ".join(line[i].rjust(width[i]) for i in range(1, 5))
        print(f"{line[0]:{width[0]}}  {numbers}  {line[5]}")


def main(arguments):
    found = verdicts([read_series(Path(folder)) for folder in arguments if folder != "-s"])
    if not found:
        sys.exit("verdict: no rows")
    if arguments[0] == "-s":
        for section in dict.fromkeys(name.split(":")[0] for name, _, _, verdict in found if differs(verdict)):
            print(section)
        return
    print_table([cells(*line) for line in found])
    sys.exit(any(line[3] in WORSE for line in found))


main(sys.argv[1:])
