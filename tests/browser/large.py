#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# 40,000 stacks of 40 frames: the size of the page, and the time to open, search, zoom and reverse it. The limits are several
# times what an idle machine takes, and tell apart only what grows too fast.
# @needs chromium chromedriver
import base64
import os
import re

from browser import SCALE, Browser, Picture, PrintOptions, check, finish, write_page
from stacks import stacks

picture, made = Picture(), stacks()
for stack, number in made:
    picture.add(stack, number)
write_page("large.html", picture.data())
size = os.path.getsize("large.html")
check("at most 5 MB", size < 5e6)
total = sum(number for _, number in made)
wanted = sum(number for stack, number in made if any("sort_page" in name for name, _, _ in stack))

TIMED = """const start = performance.now(); %s; document.body.getBoundingClientRect(); return performance.now() - start"""
INPUT = "const f = document.querySelector('.flame-toolbar input'); f.value = '%s'; f.dispatchEvent(new Event('input'))"
CLICK = "[...document.querySelectorAll('button')].find(b => b.textContent === '%s').click()"

paper = PrintOptions()
paper.orientation = "landscape"
with Browser() as b:
    opened = min(b.open("large.html") for _ in range(3))
    pdf = base64.b64decode(b.driver.print_page(paper))
    check("paper: one page", len(re.findall(rb"/Type\s*/Page\b", pdf)), 1)
    elements = len(b.find(".flame-frame"))
    check("some thousands of elements", 1000 < elements < 20000)
    searched = min(b.run(TIMED % (INPUT % text)) for text in ("hash", "^read", "sort_page"))
    share = f"{100 * wanted / total:.2f} % matched, {wanted:,}"
    check("the matched share", b.text(".flame-result"), share)
    b.screenshot("flame-large")
    reversing = b.run(TIMED % (CLICK % "Reversed"))
    check("the matched share, reversed", b.text(".flame-result"), share)
    zoomed = b.run(TIMED % "document.querySelectorAll('.flame-frame')[1].click()")
    print(f"{size / 1e6:.1f} MB, {len(picture.nodes())} characters, {elements} elements; "
          f"ms: open {opened:.0f}, search {searched:.0f}, reverse {reversing:.0f}, zoom {zoomed:.0f}")
    for what, took, limit in (("open", opened, 5000), ("search", searched, 1000), ("reverse", reversing, 6000), ("zoom", zoomed, 2000)):
        if took > limit * SCALE:
            check(f"milliseconds to {what}", round(took), f"at most {limit * SCALE}")
finish()
