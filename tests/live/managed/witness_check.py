# SPDX-License-Identifier: Apache-2.0
"""
Compares the Python frames of stacks in JSON with faulthandler's.
witness_check.py JSON WITNESS
"""
import json
import re
import sys


def escaped(text):
    return text.encode("ascii", "backslashreplace").decode()


def witness(path):
    stacks = []
    for line in open(path, errors="surrogateescape"):
        m = re.match(r'  File "(.*)", line (\d+) in (.*)$', line)
        if line == "=\n":
            stacks.append([])
        elif m:
            stacks[-1].append((m[3], m[1], int(m[2])))
    return stacks


def traced(path):
    stacks = []
    for line in open(path):
        o = json.loads(line)
        if o.get("function") != "getppid":
            continue
        for item in o.get("items", []):
            for v in item.get("values", []):
                if v["kind"] == "ustack":
                    stacks.append([f for f in v["value"] if f.get("object") == "python"])
    return stacks


def same(frame, want):
    name, file, line = want
    # jstack() has qualified names; what is cut has 159 bytes of UTF-8
    got, where = frame["symbol"], frame.get("file", "")
    full = len(got.encode()) < 156
    last = escaped(got.rsplit(".", 1)[-1] if not got.startswith("<") or "." in got else got)
    if (last != name) if full else not name.startswith(last):
        return False
    # the file without its folders; faulthandler cuts texts of more than 500 characters
    if not file.endswith("...") and not file.endswith(escaped(where)):
        return False
    if len(where.encode()) < 156 and "/" in file and not file.endswith("...") and file.rsplit("/", 1)[1] != escaped(where):
        return False
    return frame.get("line") == line


got, want = traced(sys.argv[1]), witness(sys.argv[2])
if not want or len(got) != len(want):
    sys.exit(f"{len(got)} stacks of jstack(), {len(want)} of faulthandler")
for n, (a, b) in enumerate(zip(got, want)):
    if len(a) != len(b) or not all(map(same, a, b)):
        print(f"stack {n}:")
        for f in a:
            print("  jstack()    ", f["symbol"], f.get("file"), f.get("line"))
        for f in b:
            print("  faulthandler", *f)
        sys.exit(1)
print(len(want), "stacks,", sum(map(len, want)), "frames")
