#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# The page that shows each component alone: several flame graphs on a page do not disturb each other.
# @needs chromium chromedriver
from browser import BUILD, Browser, Keys, check, finish

with Browser(height=2400) as b:
    b.open(BUILD / "viz/demo.html")
    counts = "return [...document.querySelectorAll('.flame')].map(e => e.querySelectorAll('.flame-frame').length)"
    before = b.run(counts)
    check("graphs", (len(before), all(n > 3 for n in before)), (8, True))
    b.screenshot("demo")
    # a key that is pressed outside of all is for the first one, and one that is pressed inside is for that one
    b.press("/", "fork")
    results = [e.text for e in b.find(".flame-result")]
    check("search", (results[0].endswith("matched, 40"), results[1:]), (True, [""] * 7))
    third = b.find(".flame")[2]
    b.run("arguments[0].querySelectorAll('.flame-frame')[1].focus()", third)
    b.press(Keys.ARROW_UP, Keys.ENTER)
    after = b.run(counts)
    check("zoom", [x != y for x, y in zip(before, after)], [False, False, True, False, False, False, False, False])
    b.press(Keys.ESCAPE)
    check("back", b.run(counts), before)
    check("measures", [o.text for o in third.find_elements("css selector", "option")][:2], ["count", "sum (estimate)"])

    # other data: the zoom, the focus, the way back and the search stay where the frames are still there
    def labels():
        return b.run("return [...document.querySelectorAll('.flame')[6].querySelectorAll('.flame-frame')].map(e => e.getAttribute('aria-label'))")

    def focus(label):
        b.run("[...document.querySelectorAll('.flame')[6].querySelectorAll('.flame-frame')].find("
              "e => e.getAttribute('aria-label').startsWith(arguments[0])).focus()", label)

    def click(text):
        b.run("[...document.querySelectorAll('button')].find(b => b.textContent === arguments[0]).click()", text)

    focus("node")
    b.press(Keys.ENTER)
    focus("[jit]`render")
    b.press(Keys.ENTER, Keys.ARROW_UP)
    check("before", labels(), ["all, 100.00 %, 121", "node, 57.02 %, 69", "node`main, 57.02 %, 69", "[jit]`render, 57.02 %, 69",
                               "[jit]`template, 49.59 %, 60", "0x7f0012345678, 7.44 %, 9"])
    click("Later")
    check("later", labels(), ["all, 100.00 %, 150", "node, 66.67 %, 100", "node`main, 66.67 %, 100", "[jit]`render, 66.67 %, 100",
                              "[jit]`template, 53.33 %, 80", "[jit]`new, 13.33 %, 20"])
    check("focus", b.run("return document.activeElement.getAttribute('aria-label')"), "[jit]`template, 53.33 %, 80")
    b.press(Keys.ESCAPE)
    check("back to node", labels()[1:3], ["node, 66.67 %, 100", "node`main, 66.67 %, 100"])
    b.press(Keys.ESCAPE)
    check("back to all", len(labels()), 12)
    click("Remove")
    check("removed", len(b.find(".flame")), 7)
    check("heat maps", len(b.find(".heat-canvas")), 2)
finish()
