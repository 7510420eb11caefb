# SPDX-License-Identifier: Apache-2.0
"""For the tests of node: what an aggregation of stacks says.

node_stacks.py FILE NAME...  prints in how many percent of the samples the functions of JavaScript
with these names follow each other, the innermost first, and a few stacks where they do not.
"""
import re
import sys


def stacks(path):
    """Yields (count, frames), the innermost first."""
    frames = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.strip()
            if line.isdigit() and frames:
                yield int(line), frames
                frames = []
            elif "`" in line:
                frames.append(line.split("`", 1)[1])


def name(frame):
    return re.sub(r" \(.*", "", frame)


def has(frames, wanted):
    names = [name(f) for f in frames]
    return any(names[i : i + len(wanted)] == wanted for i in range(len(names)))


def main():
    total = good = 0
    bad = []
    for count, frames in stacks(sys.argv[1]):
        total += count
        if has(frames, sys.argv[2:]):
            good += count
        else:
            bad.append((count, frames))
    for count, frames in sorted(bad, key=lambda b: -b[0])[:3]:
        print(count, "samples:", *frames[:12], sep="\n    ", file=sys.stderr)
    print(100 * good // total if total else 0)


if __name__ == "__main__":
    main()
