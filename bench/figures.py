#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of samples, and the rows that bench/run records.

    bench/figures.py ROWS       print the noise of the samples in file ROWS, in per cent
"""
import sys

# A row that counts something says nothing about noise.
COUNTS = ("count", "lines", "instructions")


def median(samples):
    """Of an even number it is the mean of the two middle ones."""
    v = sorted(samples)
    return (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2


def split(samples):
    """The first and the second half, without the middle one."""
    half = len(samples) // 2
    return samples[:half], samples[len(samples) - half:]


def drift(samples):
    """How far the medians of the first and of the second half are apart."""
    first, second = split(samples)
    return abs(median(first) - median(second)) if first else None


def spread(samples):
    """How far the medians of two halves can be apart, however the samples are divided."""
    low, high = split(sorted(samples))
    return median(high) - median(low) if low else None


def read_rows(path):
    """The lines that record() in bench/measure.sh writes."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            section, label, unit, target, tool, untraced, samples = line.rstrip("\n").split("\t")
            untraced = float(untraced)
            yield {"section": section, "label": label, "unit": unit, "target": None if target == "-" else float(target),
                   "tool": tool, "untraced": untraced, "samples": [float(s) - untraced for s in samples.split()]}


def percent(samples, untraced):
    """drift() in per cent of what was measured, which contains the untraced time."""
    whole, apart = untraced + median(samples), drift(samples)
    return round(100 * apart / whole, 1) if apart is not None and whole > 0 else None


def noise(rows):
    """The median of percent() of the rows, or None."""
    each = [percent(r["samples"], r["untraced"]) for r in rows if r["unit"] not in COUNTS]
    each = [p for p in each if p is not None]
    return median(each) if each else None


if __name__ == "__main__":
    found = noise(read_rows(sys.argv[1]))
    print("-" if found is None else f"{found:.1f}")
