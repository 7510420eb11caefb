# SPDX-License-Identifier: Apache-2.0
"""Reads heat maps: the data of a page, and the pixels of a PNG."""
import json
import os
import re
import struct
import subprocess
import zlib

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SCALE = int(os.environ.get("TIMEOUT_SCALE", "1"))


def trace(program, *outputs, command=None):
    """Run dtrace with OUTPUTS ("heatmap:a.html") and return its standard error, without what the machine's idle CPUs missed."""
    words = [os.environ["DTRACE"], *(f"--output={o}" for o in outputs), "-qn", program]
    if command:
        words += ["-c", command]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=40 * SCALE)
    if done.returncode:
        raise RuntimeError(f"status {done.returncode}: {done.stderr}")
    return re.sub(r"(?m)^dtrace: [0-9]+ missed firings?( .*)?\n", "", done.stderr)


def numbers(text):
    """A list of numbers as src/pictures/picture.h has it."""
    out, n, shift = [], 0, 0
    for c in text:
        digit = DIGITS.index(c)
        n |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            out.append(n)
            n = shift = 0
    return out


class Map:
    """A heat map: columns [(start, end)], ns since 1970; rows [(low, high)]; cells {(column, low, keys): count}."""

    def __init__(self, m):
        self.name, self.shows, self.negative, self.graph = m["name"], m["shows"], m["negative"], m.get("graph")
        at, self.columns = int(m["start"]), []
        widths = numbers(m["columns"])
        for gap, width in zip(widths[::2], widths[1::2]):
            self.columns.append((at + gap, at + gap + width))
            at += gap + width
        self.rows = [tuple(map(int, row)) for row in m["rows"]]
        series, cells, column, i = numbers(m["series"])[::2], numbers(m["cells"]), 0, 0
        self.cells = {}
        while i < len(cells):
            column += cells[i]
            for k in range(cells[i + 1]):
                row, one, count = cells[i + 2 + 3 * k:i + 5 + 3 * k]
                key = (column, self.rows[row][0], tuple(m["keys"][series[one]]))
                self.cells[key] = self.cells.get(key, 0) + count
            i += 2 + 3 * cells[i + 1]

    def total(self, **by):
        """The sum of the cells, of those with these `low` and `keys` if they are given."""
        return sum(count for (_, low, keys), count in self.cells.items()
                   if by.get("low", low) == low and by.get("keys", keys) == keys)


def read_page(path):
    """{name: Map} of a page."""
    text = open(path, encoding="utf-8", errors="surrogatepass").read()
    data = json.loads(re.search(r'<script type="application/json" id="picture">(.*?)</script>', text, re.S).group(1))
    return {m["name"]: Map(m) for m in data["heatmaps"]}


def read_tables(path):
    """{name: [rows of each table]} of a file of JSON lines."""
    out = {}
    for line in open(path):
        item = json.loads(line)
        tables = [item] if item["type"] == "aggregation" else [i for i in item.get("items", []) if i["action"] == "printa"]
        for t in tables:
            out.setdefault(t["aggregations"][0]["name"], []).append(t["rows"])
    return out


def read_png(path):
    """(width, height, rows of pixels (red, green, blue)); everything in the file is checked."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        chunks.append((kind, body))
        at += 12 + length
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 2, 0, 0, 0]
    raw = zlib.decompress(chunks[1][1])
    assert len(raw) == height * (3 * width + 1)
    rows = []
    for y in range(height):
        line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        assert line[0] == 0
        rows.append([tuple(line[1 + 3 * x:4 + 3 * x]) for x in range(width)])
    return width, height, rows
