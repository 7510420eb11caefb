# SPDX-License-Identifier: Apache-2.0
"""Stacks that share their outer frames as those of real programs do; the same for the same seed.

    python3 stacks.py json [STACKS [DEPTH [SEED]]]      as --output=json, for dtrace --view
    python3 stacks.py folded [STACKS [DEPTH [SEED]]]    as --output=folded, for other tools

The default, 40,000 stacks of 40 frames, has some 120,000 distinct nodes.
"""
import json
import random
import sys

WORDS = ("read write parse visit emit alloc free find insert remove lock unlock wait signal open close send recv encode decode "
         "hash merge sort split join flush commit fetch node list map tree page block cache index table row key value buffer").split()
OBJECTS = (("libc.so.6", "library"), ("libstdc++.so.6", "library"), ("server", "program"), ("libssl.so.3", "library"),
           ("server", "program"), ("server", "program"))


def functions(rng, n=6000):
    """[(name, object, kind), ...]: names of C and of C++."""
    out = set()
    while len(out) < n:
        obj, kind = rng.choice(OBJECTS)
        words = [rng.choice(WORDS) for _ in range(rng.randint(2, 4))]
        if rng.random() < .4:
            name = f"{words[0]}::{words[1].title()}<{words[-1]}>::{words[0]}_{words[-1]}({words[1]} const&)"
        else:
            name = "_".join(words)
        out.add((name, obj, kind))
    return sorted(out)


def stacks(count=40000, depth=40, seed=1):
    """COUNT different stacks of DEPTH frames, the outermost first, each with a number."""
    rng = random.Random(seed)
    names = functions(rng)
    first = [rng.choice(names) for _ in range(depth)]
    made, seen = [first], {tuple(first)}
    while len(made) < count:
        base = made[rng.randrange(len(made))]
        fresh = min(depth - 1, 1 + int(rng.expovariate(.4)))
        stack = base[:depth - fresh] + [rng.choice(names) for _ in range(fresh)]
        if tuple(stack) not in seen:
            seen.add(tuple(stack))
            made.append(stack)
    return [(stack, 1 + int(rng.expovariate(.02))) for stack in made]


def write_json(out, made):
    """Writes a session with one aggregation."""
    addresses = {}
    out.write('{"type":"session","schema":2,"version":"0"}\n{"type":"aggregation","aggregations":[{"name":"a","id":1,"function":"count"}],"rows":[')
    for i, (stack, number) in enumerate(made):
        frames = [{"address": addresses.setdefault(f, 0x400000 + 64 * len(addresses)), "object": f[1], "symbol": f[0], "offset": 8}
                  for f in reversed(stack)]
        row = {"keys": [{"kind": "ustack", "size": 8 * len(frames), "value": frames, "pid": 4711}], "values": [{"value": number}]}
        out.write((",\n" if i else "") + json.dumps(row, separators=(",", ":")))
    out.write(']}\n{"type":"end","records":0,"drops":0,"errors":0}\n')


def main():
    made = stacks(*map(int, sys.argv[2:]))
    if sys.argv[1] == "json":
        write_json(sys.stdout, made)
    else:
        for stack, number in made:
            print(";".join(f"{f[1]}`{f[0]}" for f in stack), number)


if __name__ == "__main__":
    main()
