#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Flame graphs: colours by kind, by name and of differences; dark and light; paper; names that are markup, bytes, 4 KB long.
# @needs chromium chromedriver
import base64
import re
from pathlib import Path

from browser import KINDS, Browser, Flame, Keys, Picture, check, finish, write_page

PALETTE = {name: (light, dark) for name, light, dark in re.findall(
    r"^PALETTE\((\w+), 0x(\w+), 0x(\w+)\)", (Path(__file__).parents[2] / "src/pictures/palette.def").read_text(), re.M)}


def rgb(name, theme):
    return "rgb({}, {}, {})".format(*bytes.fromhex(PALETTE[name][theme]))


def colour(b, element):
    return b.run("return getComputedStyle(arguments[0]).backgroundColor", element)


def page(b):
    return b.run("return getComputedStyle(document.body).backgroundColor")


def choose(b, text):
    b.run("""const s = [...document.querySelectorAll('select')].find(s => [...s.options].some(o => o.text === arguments[0]));
        s.value = [...s.options].find(o => o.text === arguments[0]).value; s.dispatchEvent(new Event('change'))""", text)


kinds = Picture()
for kind in KINDS:
    kinds.add([(f"a {kind}", "", kind)], 10)
write_page("kinds.html", kinds.data())

diff = Picture(values=["count", "old count"])
diff.add(["main", "same"], 10, 20)
diff.add(["main", "grown"], 30, 20)
diff.add(["main", "new", "inner"], 10, 0)
diff.add(["main", "vanished"], 0, 60)
write_page("diff.html", diff.data())

HOSTILE = ["operator<<", "std::function<void ()>", "</script><script>document.title='run'</script>", "<img src=x onerror=document.title='run'>",
           "\"'&amp;`", "tab\tnew\nline\x1b[31m\x00", "bytes \uef80\uefff", "x" * 4096, "\u202eabc", "", "\U0001f525", "<!--", "__proto__", "constructor"]
hostile = Picture(name="</script>")
for text in HOSTILE:
    hostile.add([(text, text, "program", text, 1)], 5)
write_page("hostile.html", hostile.data())

deep = Picture()
for i in range(3):
    deep.add([f"level {level}" for level in range(1000)] + [f"end {i}"], 1)
write_page("deep.html", deep.data())

with Browser() as b:
    b.open("deep.html")
    flame = Flame(b)
    check("1,000 frames deep", (len(flame.frames()), flame.frames()[-1]), (1004, ("end 2", 1001, 33.33)))
    b.run("[...document.querySelectorAll('.flame-frame')].pop().click()")
    check("zoom to the innermost", (len(flame.frames()), flame.frames()[-1]), (1002, ("end 2", 1001, 100)))

    b.open("kinds.html")
    flame = Flame(b)
    for theme in (0, 1):
        for kind in KINDS:
            check(f"colour {kind} {theme}", colour(b, flame.frame(f"a {kind}")), rgb(kind, theme))
        check(f"page {theme}", page(b), rgb("page", theme))
        b.screenshot("flame-kinds" + ("-dark" if theme else ""))
        b.one("button.theme").click()
    check("legend", b.text(".flame-legend"), "keykernellibraryprograminterpretedbaselineJITinlinedunknown")
    # a search dims the rest, in a colour that no frame has; what it finds keeps its own
    flame.search("a kernel")
    check("found", colour(b, flame.frame("a kernel")), rgb("kernel", 0))
    check("the rest", colour(b, flame.frame("a library")), rgb("dimmed", 0))
    check("all of the rest", sum(colour(b, e) != rgb("dimmed", 0) for e in b.find(".flame-frame")), len(b.find(".flame-frame.found")))
    check("no frame has it", [name for name in PALETTE if name != "dimmed" and PALETTE[name] == PALETTE["dimmed"]], [])
    b.screenshot("flame-search")
    b.press(Keys.ESCAPE)
    check("not any more", colour(b, flame.frame("a library")), rgb("library", 0))
    choose(b, "name")
    check("by name", len({colour(b, e) for e in b.find(".flame-frame")}) > 5)
    check("no legend", b.text(".flame-legend"), "")

    # the system's choice; forgotten with the page
    b.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check("dark system", page(b), rgb("page", 1))
    b.wait("return document.querySelector('button.theme').textContent === 'Light'")
    b.one("button.theme").click()
    check("light by choice", page(b), rgb("page", 0))
    b.open("kinds.html")
    check("forgotten", page(b), rgb("page", 1))
    # paper is white
    b.devtools("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check("paper", (page(b), b.one(".flame-toolbar").is_displayed(), b.one("button.theme").is_displayed()), (rgb("page", 0), False, False))
    check("colour on paper", colour(b, flame.frame("a kernel")), rgb("kernel", 0))
    b.screenshot("flame-print")
    b.devtools("Emulation.setEmulatedMedia", media="", features=[])
    pdf = base64.b64decode(b.driver.print_page())
    check("a PDF of one page", (pdf[:5], len(re.findall(rb"/Type\s*/Page\b", pdf))), (b"%PDF-", 1))

    # differences: 50 now, 100 before
    b.open("diff.html")
    check("the larger one, the same whole", flame.frames(), [
        ("all", 0, 100), ("main", 1, 100), ("grown", 2, 37.5), ("new", 2, 12.5), ("inner", 3, 12.5), ("same", 2, 12.5), ("vanished", 2, 37.5)])
    check("label", flame.labels()[2], "grown, 37.50 %, 30, before 10, now 30")
    check("a note", "0.500" in b.text(".flame-notes"))

    def mixed(element):
        return re.search(r"color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)", colour(b, element)).groups()
    red, _, blue = (float(x) for x in mixed(flame.frame("grown")))
    check("growth is red", red > blue + .2)
    red, _, blue = (float(x) for x in mixed(flame.frame("vanished")))
    check("shrinkage is blue", blue > red + .2)
    red, green, blue = (float(x) for x in mixed(flame.frame("same")))
    check("the same is grey", max(red, green, blue) - min(red, green, blue) < .05)
    b.screenshot("flame-diff")
    b.hover(flame.frame("vanished"))
    check("details", all(text in flame.details() for text in ("before 30", "now 0", "change -30")))
    choose(b, "now")
    check("now", [f for f in flame.frames() if f[1] == 2], [("grown", 2, 60), ("new", 2, 20), ("same", 2, 20)])
    b.button("Normalised").click()
    choose(b, "before")
    check("before", [f for f in flame.frames() if f[1] == 2], [("grown", 2, 20), ("same", 2, 20), ("vanished", 2, 60)])
    check("absolute", flame.labels()[2], "grown, 20.00 %, 20, before 20, now 30")

    # names are text
    b.open("hostile.html")
    names = b.run("return [...document.querySelectorAll('.flame-frame')].slice(1).map(e => e.textContent)")
    escaped = [(t or "(empty)").replace("\t", "\\x09").replace("\n", "\\x0a").replace("\x1b", "\\x1b").replace("\x00", "\\x00")
               .replace("\uef80", "\\x80").replace("\uefff", "\\xff") for t in HOSTILE]
    check("names", sorted(names), sorted(escaped))
    check("nothing ran", b.driver.title, "Flame graph")
    check("no element of theirs", (len(b.find("img")), len(b.find("script"))), (0, 2))
    check("inside their frames", b.run("return [...document.querySelectorAll('.flame-frame')].slice(1).every(e => e.offsetWidth <= 84)"))
    b.hover(b.find(".flame-frame")[1 + names.index("x" * 4096)])
    check("a long name in the details", "x" * 4096 in flame.details())
    check("... does not widen the page", b.run("return document.documentElement.scrollWidth <= innerWidth"))
    check("search", flame.search("</script>"), "7.14 % matched, 5")
    check("search for a byte", flame.search("\\\\x80"), "7.14 % matched, 5")
    b.screenshot("flame-hostile")
finish()
