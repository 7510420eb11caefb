#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# @timeout 400
# @alone
"""
Runs each example of dtrace --examples with its trigger for a bounded time and looks for the line that it has to
show.  Examples without probes on this kernel are named and counted.  In virtual machines, which are slow, only the
examples run that need a kernel feature.  A program that the cookbook has as well is a failure.
With words as arguments: only the examples that have one of them, with their output.
"""
import ast
import os
import re
import subprocess
import sys
import tempfile

SRC, BUILD = os.environ["SRCDIR"], os.environ["BUILD"]
SCALE = float(os.environ.get("TIMEOUT_SCALE", "1"))
LIMIT = 20 * SCALE
STRING = r'"(?:[^"\\]|\\.)*"'
ROW = re.compile(r"^EXAMPLE\(" + r",\s*".join([f"((?:{STRING}\\s*)+)"] * 5) + r"\)", re.M)


def unquote(text):
    return "".join(ast.literal_eval(s) for s in re.findall(STRING, text))


def read_rows():
    with open(f"{SRC}/src/help/examples.def") as f:
        text = f.read()
    rows = [tuple(unquote(g) for g in m.groups()) for m in ROW.finditer(text)]
    assert len(rows) == text.count("\nEXAMPLE("), "a row cannot be read"
    return rows


def lacks(feature):
    return feature and subprocess.run(
        [f"{BUILD}/tests/runner/has", feature], stdout=subprocess.DEVNULL).returncode


# -c'd commands that print would hide what dtrace prints
def quiet(trigger):
    return "sh quiet.sh " + trigger


def run(command, folder, pid_of=None):
    """Status and output of the shell's COMMAND; with PID in place of the process that runs PID_OF."""
    other = None
    if pid_of:
        other = subprocess.Popen(pid_of.split(), cwd=folder, stdout=subprocess.DEVNULL)
        command = re.sub(r"\bPID\b", str(other.pid), command)
    done = subprocess.run(["timeout", "-k", "2", str(LIMIT), "bash", "-c", command], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if other:
        other.wait()
    return done.returncode, re.sub(r" +$", "", done.stdout.decode(errors="replace"), flags=re.M)


# Packages of Debian that are essential, or of priority required, have these (dpkg-query -W -f '${Essential} ${Priority}').
STOCK = {"bash", "cat", "dd", "ls", "nice", "perl", "sh", "true"}


def check(row):
    """What is wrong with the example; None: nothing."""
    title, _, command, trigger, shows = row
    traced = re.search(r" -c '?([^ ']+)", re.sub(r"n '[^']*'", "", command))
    if traced and traced[1] not in STOCK:
        return f"not everybody has the program {traced[1]}"
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/quiet.sh", "w") as f:
            f.write('exec "$@" >/dev/null\n')
        if " -l" not in command:
            compiled = re.sub(r"--output[^ ]*", "", command)
            compiled = compiled.replace("dtrace ", "dtrace -e ", 1).replace("-p PID", "-p 1")
            status, out = run(compiled, folder)
            if status:
                return f"does not compile: {out}"
        if trigger in ("", "-"):
            status, out = run(command, folder)
        elif " PID" in command:
            status, out = run(command, folder, trigger)
        elif trigger.startswith("sh -c"):
            with open(f"{folder}/work.sh", "w") as f:
                f.write(trigger[len("sh -c '"):-1] + "\n")
            status, out = run(f"{command} -c 'sh work.sh'", folder)
        else:
            status, out = run(f"{command} -c '{quiet(trigger)}'", folder)
        if shows.startswith("file:"):
            name = f"{folder}/{shows[5:]}"
            shows = "" if os.path.exists(name) and os.path.getsize(name) else "that file: " + shows
    if status:
        return f"status {status}: {out}"
    if not re.search(shows, out, re.M):
        return f"no line has {shows}:\n{out[:1500]}"
    return None


def program(command):
    """The D program of COMMAND without its blanks."""
    found = re.search(r"-\w*n '([^']*)'", command)
    return re.sub(r"\s", "", found.group(1)) if found else ""


def in_cookbook(rows):
    with open(f"{SRC}/docs/cookbook.md") as f:
        page = re.sub(r"\s", "", re.sub(r"\n> +", " ", f.read()))
    return [r[0] for r in rows if len(program(r[2])) > 20 and f"'{program(r[2])}'" in page]


def main():
    if os.getuid():
        print("tracing needs root")
        return 77
    if "IN_NAMESPACES" not in os.environ:  # private ports and mounts
        os.environ["IN_NAMESPACES"] = "1"
        os.execvp("unshare", ["unshare", "-mn", sys.executable, *sys.argv])
    os.environ["PATH"] = f"{os.path.dirname(os.environ['DTRACE'])}:{BUILD}/tests/live/triggers:" + os.environ["PATH"]
    os.environ.update(LC_ALL="C", TZ="UTC")
    rows = read_rows()
    failed = 0
    if len(rows) < 100:
        print(f"FAIL: there are {len(rows)} examples, not a hundred")
        failed += 1
    for title in in_cookbook(rows):
        print(f"FAIL: {title}: docs/cookbook.md has it, too")
        failed += 1
    if sys.argv[1:]:
        rows = [r for r in rows if any(w.lower() in (r[0] + r[2]).lower() for w in sys.argv[1:])]
    if "DTRACE_VM" in os.environ:
        rows = [r for r in rows if r[1]]
    left = [r for r in rows if lacks(r[1])]
    todo = [r for r in rows if r not in left]
    for row in todo:
        wrong = check(row)
        if wrong:
            print(f"FAIL: {row[0]}\n     {row[2]}\n     {wrong}")
            failed += 1
    print(f"{len(todo)} examples ran, {failed} failed, {len(left)} were left out:")
    for row in left:
        print(f"     needs {row[1]}: {row[0]}")
    return 1 if failed else 0


sys.exit(main())
