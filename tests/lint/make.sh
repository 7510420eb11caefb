#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make help lists every target; compile_commands.json has the command of every C file; pages name only targets that exist.
cd "$SRCDIR" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS
export LC_ALL=C
status=0

help=$(make -s help) || exit 1
listed=$(sed -nE 's/^  ([a-z][^ ]*) +[^ ].*/\1/p' <<<"$help" | sort)
phony=$(make -pnq -f Makefile help 2>/dev/null | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' | grep -vx FORCE | grep . | sort -u)
[[ -n $phony ]] || { echo ".PHONY has no targets"; status=1; }
left=$(comm -13 <(echo "$listed") <(echo "$phony"))
[[ -z $left ]] || { echo "make help does not list:" $left; status=1; }
left=$(comm -23 <(echo "$listed") <(echo "$phony"))
[[ -z $left ]] || { echo "make help lists what is not in .PHONY:" $left; status=1; }

# "make TARGET" at the start of an indented line, or in backquotes
named=$(grep -hoE '(^    |`|^    \$ |^    # )make [a-z][a-z_.-]*' README.md CONTRIBUTING.md docs/*.md docs/design/*.md |
	sed 's/.*make //' | sort -u)
left=$(comm -23 <(echo "$named") <(echo "$phony"))
[[ -z $left ]] || { echo "the documentation names targets that do not exist:" $left; status=1; }

command -v python3 >/dev/null || { echo "skip: no python3 to read compile_commands.json"; exit 77; }
# in a copy: the one of whoever works here stays as it is
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read 2>/dev/null | tar -x -C "$TMPDIR" || exit 1
make -s -C "$TMPDIR" compile_commands.json || exit 1
python3 - "$TMPDIR" <<'P' || status=1
import glob, json, os, shlex, sys

folder = os.path.realpath(sys.argv[1])
commands = {e["file"]: e for e in json.load(open(folder + "/compile_commands.json"))}
bad = 0
for name in [*glob.glob("src/*/*.c"), *glob.glob("src/*/*/*.c"), *glob.glob("cmd/dtrace/*.c"), *glob.glob("tests/unit/*.c"), *glob.glob("bench/*.c")]:
    # src/rt/rt.bpf.c and alone.bpf.c include the others
    if name.startswith("src/rt/") and name not in ("src/rt/rt.bpf.c", "src/rt/alone.bpf.c"):
        continue
    # those of another machine, and the agent, are not built by these commands
    if name.startswith(("src/arch/", "src/managed/java_agent/")):
        continue
    if name not in commands:
        print("compile_commands.json lacks", name)
        bad = 1
for name, e in commands.items():
    words = shlex.split(e["command"])
    if name not in words or os.path.realpath(e["directory"]) != folder:
        print("the entry of", name, "is wrong:", e)
        bad = 1
sys.exit(bad)
P
exit $status
