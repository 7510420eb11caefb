#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# A flame graph: its elements and numbers, zoom, search, details, keys, orientation, reversing, resizing.
# @needs chromium chromedriver
from browser import Browser, Flame, Keys, Picture, check, finish, write_page

picture = Picture()
MAIN, LIBC = ("main", "prog", "program", "main.c", 12), ("write", "libc.so.6", "library")
picture.add([("sh", "", "key"), MAIN, "parse"], 30)
picture.add([("sh", "", "key"), MAIN, "parse", "parse", "lex"], 10)
picture.add([("sh", "", "key"), MAIN, LIBC, ("vfs_write", "vmlinux", "kernel")], 40)
picture.add([("cat", "", "key"), MAIN, LIBC, ("vfs_write", "vmlinux", "kernel")], 20)
for i in range(2000):
    picture.add([("cat", "", "key"), "narrow", f"leaf{i}"], 0 if i else 1)
write_page("flame.html", picture.data())

with Browser() as b:
    b.open("flame.html")
    flame = Flame(b)
    drawn = [("all", 0, 100), ("cat", 1, 20.79), ("prog`main", 2, 19.8), ("libc.so.6`write", 3, 19.8),
             ("vmlinux`vfs_write", 4, 19.8), ("narrow", 2, 0.99), ("leaf0", 3, 0.99),
             ("sh", 1, 79.21), ("prog`main", 2, 79.21), ("parse", 3, 39.6), ("parse", 4, 9.9), ("lex", 5, 9.9),
             ("libc.so.6`write", 3, 39.6), ("vmlinux`vfs_write", 4, 39.6)]
    check("frames", flame.frames(), drawn)
    check("a number", flame.numbers()["all;sh;prog`main;parse"], 40)
    check("a label", flame.labels()[8], "prog`main, 79.21 %, 80")
    b.screenshot("flame")

    # orientation: the root is below its children, or above
    def top(name):
        return flame.frame(name).rect["y"]
    check("flame", top("all") > top("sh") > top("lex"))
    b.button("Icicle").click()
    check("icicle", top("all") < top("sh") < top("lex"))
    b.button("Icicle").click()

    # search: stacks count once, whatever is drawn
    check("search", flame.search("parse|lex"), "39.60 % matched, 40")
    check("found frames", len(b.find(".flame-frame.found")), 3)
    check("search of frames too narrow to draw", flame.search("leaf0"), "0.99 % matched, 1")
    check("search of an object", flame.search("libc"), "59.41 % matched, 60")
    check("search of text that is no expression", flame.search("parse("), "0.00 % matched, 0 (as text)")
    b.press(Keys.ESCAPE)
    check("search cleared", (b.text(".flame-result"), b.one(".flame-toolbar input").get_property("value")), ("", ""))
    b.press("/", "l", "e", "x")
    check("/ and text", b.text(".flame-result"), "9.90 % matched, 10")

    # zoom, and back
    flame.frame("libc.so.6`write").click()
    check("zoom", flame.frames(), [("all", 0, 100), ("cat", 1, 100), ("prog`main", 2, 100), ("libc.so.6`write", 3, 100), ("vmlinux`vfs_write", 4, 100)])
    check("the search stays", b.text(".flame-result"), "9.90 % matched, 10")
    b.hover(b.one("h1"))
    check("details", flame.details().split("write", 1)[1],
          " in libc.so.6kind librarycount 20of all 19.80 %of its parent 100.00 %itself 0")
    flame.frame("cat").click()
    check("zoom to an outer frame", len(flame.frames()), 7)
    b.button("Back").click()
    check("back", len(flame.frames()), 5)
    b.button("Whole graph").click()
    check("whole", flame.frames(), drawn)
    check("nothing to go back to", b.button("Back").get_attribute("disabled"), "true")
    b.hover(flame.frame("prog`main"))
    check("details of what the pointer is on", "at main.c:12" in flame.details())

    # keys
    def focused():
        return b.run("return document.activeElement.getAttribute('aria-label')")
    b.run("document.querySelector('.flame-frame').focus()")
    b.press(Keys.ARROW_UP)
    check("up: the widest child", focused(), "sh, 79.21 %, 80")
    b.press(Keys.ARROW_LEFT)
    check("left", focused(), "cat, 20.79 %, 21")
    b.press(Keys.ARROW_UP, Keys.ARROW_UP)
    check("up twice", focused(), "libc.so.6`write, 19.80 %, 20")
    b.press(Keys.ARROW_RIGHT)
    check("right: the row goes on", focused(), "leaf0, 0.99 %, 1")
    b.press(Keys.ARROW_RIGHT)
    check("right: and on", focused(), "parse, 39.60 %, 40")
    b.press(Keys.ARROW_DOWN)
    check("down", focused(), "prog`main, 79.21 %, 80")
    check("one frame in the order of Tab", len(b.find(".flame-frame[tabindex='0']")), 1)
    b.press(Keys.ENTER)
    check("Enter", flame.frames()[0:3], [("all", 0, 100), ("sh", 1, 100), ("prog`main", 2, 100)])
    check("the focus stays", focused(), "prog`main, 79.21 %, 80")
    b.press(Keys.ESCAPE)
    check("Esc", flame.frames(), drawn)
    b.press(Keys.ENTER, Keys.ARROW_UP, Keys.ENTER, Keys.HOME)
    check("Home", flame.frames(), drawn)

    # for screen readers
    tree = b.run("""return [...document.querySelectorAll('[role=tree] > [role=treeitem]')].map(e =>
        ['level', 'posinset', 'setsize', 'expanded'].map(name => e.getAttribute('aria-' + name)).join(' '))""")
    check("positions", tree[:9], ["1 1 1 true", "2 1 2 true", "3 1 2 true", "4 1 1 true", "5 1 1 ", "3 2 2 true", "4 1 1 ",
                                  "2 2 2 true", "3 1 1 true"])

    # reversed: callers of a function merged, keys outermost
    b.button("Reversed").click()
    check("reversed", flame.frames(), [
        ("all", 0, 100), ("cat", 1, 20.79), ("leaf0", 2, 0.99), ("narrow", 3, 0.99), ("vmlinux`vfs_write", 2, 19.8),
        ("libc.so.6`write", 3, 19.8), ("prog`main", 4, 19.8), ("sh", 1, 79.21), ("lex", 2, 9.9), ("parse", 3, 9.9),
        ("parse", 4, 9.9), ("prog`main", 5, 9.9), ("parse", 2, 29.7), ("prog`main", 3, 29.7), ("vmlinux`vfs_write", 2, 39.6),
        ("libc.so.6`write", 3, 39.6), ("prog`main", 4, 39.6)])
    check("search, reversed", flame.search("parse|lex"), "39.60 % matched, 40")
    b.button("Reversed").click()

    # recursion folded: parse calls parse
    b.press(Keys.ESCAPE)
    b.button("Fold recursion").click()
    check("folded", flame.frames()[7:], [("sh", 1, 79.21), ("prog`main", 2, 79.21), ("parse", 3, 39.6), ("lex", 4, 9.9),
                                         ("libc.so.6`write", 3, 39.6), ("vmlinux`vfs_write", 4, 39.6)])
    check("itself", flame.numbers()["all;sh;prog`main;parse"], 40)
    b.button("Reversed").click()
    check("reversed and folded", [f for f in flame.frames() if f[0] == "parse"], [("parse", 3, 9.9), ("parse", 2, 29.7)])
    b.button("Reversed").click()
    b.button("Fold recursion").click()
    check("unfolded", flame.frames(), drawn)

    # a narrower window draws fewer frames; a wider one all
    b.press(Keys.ESCAPE)
    for width, count in ((500, 14), (60, 12), (1200, 14)):
        b.devtools("Emulation.setDeviceMetricsOverride", width=width, height=600, deviceScaleFactor=1, mobile=False)
        b.wait(f"return document.querySelectorAll('.flame-frame').length == {count}")
        check(f"frames at {width} pixels", len(flame.frames()), count)
finish()
