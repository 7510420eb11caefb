#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# A page of --web that is opened late: its heat map has what came since, each flame graph is drawn once, and the same stack in
# several processes is one row, unless the process is a key.
# @needs chromium chromedriver
# @vm no: it needs a browser
import os
import re
import shutil
import signal
import subprocess
import sys

from browser import Browser, check, finish

if os.geteuid():
    print("needs root")
    sys.exit(77)

shutil.copy(os.environ["BUILD"] + "/tests/live/triggers/leak", "late_leak")
PROGRAM = r"""
BEGIN { printf("tracing\n"); }
syscall::clock_nanosleep:entry /execname == "late_leak"/ { @s[ustack()] = count(); @p[pid, ustack()] = count(); @q = quantize(5); }
"""
tracer = subprocess.Popen([os.environ["DTRACE"], "--web", "-qn", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
line = tracer.stderr.readline()
if "libmicrohttpd" in line:
    print(line)
    sys.exit(77)
url = line.split()[-1]
tracer.stdout.readline()
ROWS = """return [...document.querySelectorAll('table.aggregation')].filter(table => table.textContent.startsWith(arguments[0]))
    .flatMap(table => [...table.querySelectorAll('tr')].map(row => [...row.querySelectorAll('td.number')].pop().textContent)).sort()"""
# each sleeps once, and is there as long as its frames are looked up; the stack of the first one of a program may be marked as
# incomplete
sleepers = [subprocess.Popen(["./late_leak", "600"])]

with Browser() as b:
    b.opened += [url, url + "events"]
    b.driver.get(url)
    b.wait("return document.querySelectorAll('table.aggregation').length == 3")
    check("a program in the title", PROGRAM.splitlines()[1] in b.text(".origin"), True)
    b.wait("return document.querySelector('.flame-frame')")
    check("what came before is in no column", len(b.find(".heat-summary")), 0)
    sleepers += [subprocess.Popen(["./late_leak", "600"]) for _ in range(3)]
    b.wait("return document.querySelector('.heat-summary')")
    b.wait("return document.querySelector('.heat-summary').textContent.startsWith('3 ')")
    check("values since", re.match(r"(\d+) values", b.text(".heat-summary"))[1], "3")
    b.wait(ROWS.replace("return ", "return (").replace("arguments[0]", "'@s'") + ").includes('3')")
    check("one row for all processes", b.run(ROWS, "@s"), sorted(["1", "3"]))
    check("a row for each, if it is a key", b.run(ROWS, "@p"), ["1"] * 4)
    shown = "return [...document.querySelectorAll('.flame-frames')].filter(e => e.checkVisibility()).length"
    check("each flame graph once", b.run(shown), 1)
    canvas = b.one(".heat-canvas")
    b.run("arguments[0].focus()", canvas)
    b.press("\ue007")  # Enter: the first cell
    check("that of the cells that are chosen", b.wait(shown + " == 2"), True)
    b.screenshot("live-late")
    tracer.send_signal(signal.SIGINT)
    tracer.communicate()
    b.wait("return document.querySelector('.status').textContent == 'Tracing has ended'")
for sleeper in sleepers:
    sleeper.kill()
    sleeper.wait()
finish()
