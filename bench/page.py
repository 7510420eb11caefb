#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a page with a plot of each row of bench/run's JSON: one file without scripts.

    bench/page.py RESULTS.json

Style and colours are those of the viewer of pictures (viz/viewer.css, src/pictures/palette.def).
"""
import json
import math
import subprocess
import sys
from html import escape
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
# of palette.def
COLOURS = {"dtrace": "program", "empty program": "same", "clang": "jit"}
LEFT, RIGHT, WIDTH, STEP = 170, 640, 760, 26  # of a plot: the axis from LEFT to RIGHT, STEP for each tool

STYLE = """
figure { margin: .6rem 0 1.2rem; max-width: 60rem; }
figcaption { font-weight: 600; }
.quiet, figcaption span { color: var(--quiet); font-weight: normal; }
.noisy { background: var(--grown); padding: .2rem .5rem; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--text); font-variant-numeric: tabular-nums; }
svg .axis { stroke: var(--line); }
svg .target { stroke: var(--quiet); stroke-dasharray: 4 3; }
svg .median { stroke: var(--text); stroke-width: 2; }
svg circle { fill: var(--text); fill-opacity: .45; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dt { color: var(--quiet); } dd { margin: 0; }
"""


def shown(value):
    """A number in at most four digits, or as a whole one."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


class Scale:
    """Places values on an axis: logarithmic if they differ much, otherwise with its zero."""

    def __init__(self, values, target):
        self.log = min(values) > 0 and max(values) / min(values) > 20
        if target is not None and (self.log or target <= 3 * max(values)) and target > 0:
            values = [*values, target]
        self.low, self.high = self._decades(values) if self.log else (min(0, *values), max(0, *values))
        if self.low == self.high:
            self.high = self.low + 1

    @staticmethod
    def _decades(values):
        return 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))

    def has(self, value):
        return self.low <= value <= self.high

    def x(self, value):
        part = (value - self.low) / (self.high - self.low)
        if self.log:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        return round(LEFT + part * (RIGHT - LEFT), 1)

    def ticks(self):
        if self.log:
            return [self.low * 10 ** i for i in range(round(math.log10(self.high / self.low)) + 1)]
        raw = (self.high - self.low) / 4
        unit = 10 ** math.floor(math.log10(raw))
        step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw)
        return [step * i for i in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def strip(name, tool, unit, y, scale):
    """One tool: the range of its samples, each of them, and their median."""
    low, high, middle = scale.x(tool["low"]), scale.x(tool["high"]), scale.x(tool["median"])
    samples = ", ".join(shown(s) for s in tool["samples"])
    colour = COLOURS.get(name, "kernel")
    return [f'<g><title>{escape(f"{name}: {samples} {unit}")}</title>',
            f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{low - 4:.1f}" y="{y - 8}" width="{high - low + 8:.1f}" height="16" rx="4" style="fill: var(--{colour})"/>',
            *(f'<circle cx="{scale.x(s)}" cy="{y}" r="3"/>' for s in tool["samples"]),
            f'<line class="median" x1="{middle}" y1="{y - 10}" x2="{middle}" y2="{y + 10}"/>',
            f'<text x="{RIGHT + 12}" y="{y + 4}">{escape(shown(tool["median"]) + " " + unit)}</text></g>']


def axis(scale, y, target):
    out = [f'<line class="axis" x1="{LEFT}" y1="{y}" x2="{RIGHT}" y2="{y}"/>']
    for tick in scale.ticks():
        x = scale.x(tick)
        out += [f'<line class="axis" x1="{x}" y1="{y}" x2="{x}" y2="{y + 4}"/>',
                f'<text x="{x}" y="{y + 17}" text-anchor="middle">{shown(tick)}</text>']
    if target is not None and scale.has(target):
        out.append(f'<line class="target" x1="{scale.x(target)}" y1="0" x2="{scale.x(target)}" y2="{y}"/>')
    return out


def plot(row):
    tools, unit = row["tools"], row["unit"]
    scale = Scale([v for t in tools.values() for v in (t["low"], t["high"])], row["target"])
    bottom = STEP * len(tools) + 2
    words = f'{row["label"]}, {unit}'
    facts = []
    if row["target"] is not None:
        facts.append(f'at {"least" if row["better"] == "more" else "most"} {shown(row["target"])} (dashed)')
    if row["ratio"] is not None:
        facts.append(f'the other / dtrace: {row["ratio"]:.2f}')
    if scale.log:
        facts.append("logarithmic axis")
    told = "; ".join(f'{name} {shown(t["median"])}' for name, t in tools.items())
    return "\n".join([
        "<figure>", f'<figcaption>{escape(words)} <span>{escape("; ".join(facts))}</span></figcaption>',
        f'<svg viewBox="0 0 {WIDTH} {bottom + 24}" role="img" aria-label="{escape(f"{words}: {told}")}">',
        *(line for i, (name, t) in enumerate(tools.items()) for line in strip(name, t, unit, STEP // 2 + STEP * i, scale)),
        *axis(scale, bottom, row["target"]), "</svg>", "</figure>"])


def percent(value):
    return "not measured" if value is None else f"{value:g} %"


def section(s, limit):
    noise = s["noise"]
    out = [f'<section id="{escape(s["name"])}"><h2>{escape(s["title"])}</h2>']
    if noise["noisy"]:
        out.append(f'<p class="noisy">Noisy: above the limit of {limit:g} %, measured {noise["repeated"] + 1} times.</p>')
    out.append(f'<p class="quiet">Noise: {percent(noise["arithmetic"])} by arithmetic, {percent(noise["halves"])} between halves of'
               f' the samples. Load average: {s["load"][0]} before, {s["load"][1]} after.</p>')
    out += [f'<p class="noisy">{escape(why)}</p>' for why in s["incomplete"]]
    return "\n".join(out + [plot(row) for row in s["rows"]] + ["</section>"])


def facts(results):
    machine = results["machine"]
    pairs = {"machine": f'Linux {machine["kernel"]} {machine["architecture"]}, {machine["cpu"]}, {machine["cpus"]} CPUs',
             "commit": results["commit"], "date": results["date"], "tools": results["dtrace"],
             "samples": f'{results["rounds"]} alternating runs'}
    if results["bpftrace"]:
        pairs["tools"] += ", " + results["bpftrace"]
    return "<dl>" + "".join(f"<dt>{k}</dt><dd>{escape(v)}</dd>" for k, v in pairs.items()) + "</dl>"


def page(results):
    colours = subprocess.run([TREE / "viz/palette", TREE / "src/pictures/palette.def"], check=True, capture_output=True, text=True).stdout
    style = colours + (TREE / "viz/viewer.css").read_text() + STYLE
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8"><title>make bench</title>',
        '<meta name="viewport" content="width=device-width">', f"<style>{style}</style></head><body>",
        '<header class="page"><h1>The cost of tracing</h1></header>', facts(results),
        '<p class="quiet">A dot is a sample, the line across is their median, the bar is their range.</p>',
        *(section(s, results["noise_limit"]) for s in results["sections"]), "</body></html>"])


print(page(json.loads(Path(sys.argv[1]).read_text())))
