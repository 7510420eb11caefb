#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# --output=heatmap in Chromium: a click on a cell, hidden and coloured keys, the keyboard, and the flame graph of what is chosen
# show the numbers of the other outputs of the same run; light and dark; no message and no request.
# @needs chromium chromedriver
# @vm no: it needs a browser
# @timeout 120
import os
import sys

sys.path.insert(0, os.environ["SRCDIR"] + "/tests/browser")
from browser import Browser, Flame, Keys, check, finish, skip, webdriver
from heatread import read_page, read_tables, trace

if os.geteuid() != 0:
    skip("needs root")
PROGRAM = """
BEGIN { n = 0; }
syscall::getppid:entry
/pid == $target/
{
    @a[n & 1 ? "odd" : "even", ustack()] = quantize(n < 3 ? 5 : 100);
    n++;
}
END { @once[walltimebin[1000000000]] = count(); }
"""
LEFT, RIGHT, TOP = 76, 40, 8  # viz/heat_canvas.js
trace(PROGRAM, "heatmap:h.html", "json:h.json", command=os.environ["BUILD"] + "/tests/live/triggers/frames 6")
maps, tables = read_page("h.html"), read_tables("h.json")
m, rows = maps["a"], tables["a"][-1]
check("values", m.total(), 7)
check("low ones", {k: m.total(low=4, keys=(k,)) for k in ("even", "odd")}, {"even": 2, "odd": 1})
check("high ones", {k: m.total(low=64, keys=(k,)) for k in ("even", "odd")}, {"even": 2, "odd": 2})


def stacks(accept):
    """{path: count} of the stacks of values that ACCEPT takes, from the JSON output, as Flame.numbers() has it."""
    out = {}
    for row in rows:
        count = sum(b["count"] for b in row["values"][0]["buckets"] if accept(row["keys"][0]["value"], b["low"]))
        path = ["all", row["keys"][0]["value"]]
        path += [f"{f['object']}`{f['symbol']}" if "symbol" in f else f"{f['object']}`" + f.get('text', f"{f['object']}`{f['address']:#x}")
                 for f in reversed(row["keys"][1]["value"])]
        for i in range(len(path)):
            at = ";".join(path[:i + 1])
            if count:
                out[at] = out.get(at, 0) + count
    return out


class Heat:
    def __init__(self, b, number=0):
        self.b, self.section = b, b.find(".heat")[number]
        self.canvas = b.find(".heat-canvas")[number]

    def text(self, selector):
        return self.b.run("return arguments[0].querySelector(arguments[1]).textContent", self.section, selector)

    def place(self, part, low):
        """Where the cell at PART of the width, 0 to 1, in the row of LOW is, from the middle of the canvas."""
        size = self.canvas.size
        height = self.b.run("return parseFloat(arguments[0].style.height)", self.canvas) - TOP - 26
        row = [r[0] for r in m.rows].index(low)
        x = LEFT + part * (size["width"] - LEFT - RIGHT)
        return x - size["width"] / 2, TOP + height * (1 - (row + 0.5) / len(m.rows)) - size["height"] / 2

    def click(self, part, low):
        x, y = self.place(part, low)
        webdriver.ActionChains(self.b.driver).move_to_element_with_offset(self.canvas, x, y).click().perform()

    def drag(self, a, b):
        (x, y), (to_x, to_y) = self.place(*a), self.place(*b)
        webdriver.ActionChains(self.b.driver).move_to_element_with_offset(self.canvas, x, y).click_and_hold() \
            .move_to_element_with_offset(self.canvas, to_x, to_y).release().perform()

    def keys(self):
        """{key: count} of the list."""
        return self.b.run("""return Object.fromEntries([...arguments[0].querySelectorAll('.heat-keys tbody tr')].map(tr =>
            [tr.children[0].textContent, Number(tr.children[1].textContent.replace(/,/g, ''))]))""", self.section)

    def drawn(self):
        """What is on the canvas, without the cursor."""
        self.b.run("document.activeElement.blur()")
        return self.b.run("return arguments[0].toDataURL()", self.canvas)

    def choose(self, selector, value):
        self.b.run("""const s = arguments[0].querySelector(arguments[1]); s.value = arguments[2];
            s.dispatchEvent(new Event('change'))""", self.section, selector, value)


with Browser(height=1400) as b:
    b.open("h.html")
    check("maps", [e.text for e in b.find("article h2")], ["@a quantize()", "@once count()"])
    heat, flame = Heat(b), Flame(b)
    check("the summary", heat.text(".heat-summary").startswith("7 values in "))
    check("a text for those who do not see it", "7 values" in heat.canvas.get_attribute("aria-label"))
    check("keys of all", heat.keys(), {"even": 4, "odd": 3})
    check("stacks of all", flame.numbers(), stacks(lambda key, low: True))
    columns = len(m.columns)
    last = (columns - 0.5) / columns if columns == 1 else 0.99

    heat.click(last, 4)
    chosen = heat.text(".heat-chosen")
    check("a cell", ", 4 to 7 " in chosen and chosen.endswith(" 3 values"))
    check("keys of a cell", heat.keys(), {"even": 2, "odd": 1})
    check("stacks of a cell", flame.numbers(), stacks(lambda key, low: low == 4))
    heat.click(last, 16)
    check("an empty cell", heat.text(".heat-chosen").endswith(" 0 values"))
    heat.drag((0.02, 64), (0.98, 8))
    check("a range", heat.text(".heat-chosen").endswith(" 4 values"))
    check("stacks of a range", flame.numbers(), stacks(lambda key, low: low == 64))
    b.screenshot("heatmap-range")
    b.press(Keys.ESCAPE)
    check("nothing is chosen", heat.text(".heat-chosen"), "")

    before = heat.drawn()
    b.one("[aria-label='Show only odd']").click()
    check("one key", heat.text(".heat-summary").startswith("3 values in "))
    check("one key's numbers", heat.keys(), {"odd": 3, "even": 0})
    check("one key's stacks", flame.numbers(), stacks(lambda key, low: key == "odd"))
    b.one("[aria-label='Show only odd']").click()
    b.one("[aria-label='Hide odd']").click()
    check("another key", heat.text(".heat-summary").startswith("4 values in "))
    b.button("Show all").click()
    check("all keys again", heat.drawn(), before)
    heat.choose("[data-hue]", "1")
    check("a hue", heat.drawn() != before)
    heat.choose("[data-hue]", "0")
    heat.choose(".heat-toolbar select", "linear")
    check("linear", heat.drawn() != before)

    b.run("arguments[0].focus()", heat.canvas)
    b.press(Keys.END, Keys.HOME, Keys.END, Keys.ENTER)
    while ", 4 to 7" not in heat.text(".heat-status") and "and less" not in heat.text(".heat-status"):
        at = heat.text(".heat-status")
        b.press(Keys.ARROW_DOWN)
        if heat.text(".heat-status") == at:
            break
    check("the lowest row by keys", heat.text(".heat-status").endswith("4 to 7: 3"))
    b.press(Keys.ENTER)
    check("a cell by keys", flame.numbers(), stacks(lambda key, low: low == 4))
    webdriver.ActionChains(b.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_UP * (len(m.rows) - 1)).key_up(Keys.SHIFT).perform()
    check("a range by keys", heat.text(".heat-chosen").endswith(" 7 values"))
    b.press(Keys.ESCAPE)
    check("Esc", heat.text(".heat-chosen"), "")
    b.one(".heat-rows summary").click()
    b.wait("return document.querySelector('.heat-rows tbody').children.length")
    table = b.run("""return [...document.querySelectorAll('.heat-rows')[0].querySelectorAll('tbody tr')].map(tr =>
        [...tr.children].map(td => td.textContent))""")
    check("rows as a table", table, [["64 to 127", "4"], ["4 to 7", "3"]])
    light = heat.drawn()
    b.one(".theme").click()
    check("dark", heat.drawn() != light)
    check("dark background", b.run("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)")
    b.screenshot("heatmap-dark")
finish()
