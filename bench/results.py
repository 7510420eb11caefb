#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write what bench/run has recorded as JSON.

    bench/results.py FOLDER     FOLDER has the files machine, sections and all of bench/run
"""
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from figures import median, percent, read_rows


def number(text):
    return None if text in ("-", "") else float(text)


def tool_figures(row):
    """The samples of one tool, less the untraced time, and what is computed from them."""
    samples = [round(s, 2) for s in row["samples"]]
    return {"samples": samples, "untraced": row["untraced"], "median": round(median(samples), 3), "low": min(samples),
            "high": max(samples), "halves": percent(row["samples"], row["untraced"])}


def gather(rows):
    """One entry for each section and label, with all its tools; the order is that of the rows."""
    sections = {}
    for row in rows:
        labels = sections.setdefault(row["section"], {})
        entry = labels.setdefault(row["label"], {
            "label": row["label"], "unit": row["unit"], "better": "more" if row["unit"].endswith("/s") else "less",
            "target": row["target"], "tools": {}, "ratio": None})
        if entry["target"] is None:
            entry["target"] = row["target"]
        entry["tools"][row["tool"]] = tool_figures(row)
    for labels in sections.values():
        for entry in labels.values():
            entry["ratio"] = ratio(entry["tools"])
    return sections


def ratio(tools):
    """The other tool over dtrace, as in the tables: the second of the row, if dtrace's figure is positive."""
    others = [t for name, t in tools.items() if name not in ("dtrace", "empty program")]
    if "dtrace" not in tools or not others or tools["dtrace"]["median"] <= 0:
        return None
    return round(others[0]["median"] / tools["dtrace"]["median"], 3)


def section_of(line, rows):
    name, title, before, after, loop, halves, repeated, noisy, why = line.split("\t")
    return {"name": name, "title": title, "load": [number(before), number(after)],
            "noise": {"arithmetic": number(loop), "halves": number(halves), "repeated": int(repeated), "noisy": noisy == "1"},
            "incomplete": [w for w in why.split("; ") if w], "rows": list(rows.get(name, {}).values())}


def main(folder):
    facts = dict(line.split("\t", 1) for line in (folder / "machine").read_text().splitlines())
    rows = gather(read_rows(folder / "all"))
    json.dump({
        "machine": {"kernel": facts["kernel"], "architecture": facts["architecture"], "cpu": facts["cpu"], "cpus": int(facts["cpus"])},
        "commit": facts["commit"], "date": facts["date"], "dtrace": facts["dtrace"], "bpftrace": facts["bpftrace"] or None,
        "rounds": int(facts["rounds"]), "noise_limit": None if facts["limit"] == "inf" else float(facts["limit"]),
        "sections": [section_of(line, rows) for line in (folder / "sections").read_text().splitlines()],
    }, sys.stdout, indent=1)
    print()


main(Path(sys.argv[1]))
