#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Count the instructions of programs that dtrace has generated, and of those that clang has.

    bench/instructions.py RUNTIME.o CLANG.o DUMP...

A DUMP is a file KEY.dump with the output of dtrace -x dump=bpf; the functions KEY and KEY_... of CLANG.o do the same. For each
it prints KEY, and the instructions of both: those of the programs, and those with the functions of RUNTIME.o that they call,
directly or not. An instruction is one of 8 bytes, as the kernel counts; a 64-bit constant takes two.
"""
import re
import struct
import sys
from pathlib import Path

CALL, LOAD_64 = 0x85, 0x18
PSEUDO_CALL, PSEUDO_FUNC = 1, 4
FUNC, SECTION = 2, 3


class Object:
    """The functions of an ELF file for BPF, with the names of those that they call."""

    def __init__(self, path):
        self.data = Path(path).read_bytes()
        self.sections = self._table(struct.unpack_from("<Q", self.data, 0x28)[0], struct.unpack_from("<HHH", self.data, 0x3A))
        symbols = next(s for s in self.sections if s["type"] == 2)
        strings = self.sections[symbols["link"]]["offset"]
        self.symbols = [self._symbol(symbols["offset"] + i, strings) for i in range(0, symbols["size"], 24)]
        self.functions = {s["name"]: s for s in self.symbols if s["type"] == FUNC}
        self.relocations = {}
        for s in self.sections:
            if s["type"] == 9:
                for i in range(s["offset"], s["offset"] + s["size"], 16):
                    offset, info = struct.unpack_from("<QQ", self.data, i)
                    self.relocations[s["info"], offset] = self.symbols[info >> 32]

    def _table(self, offset, shape):
        size, count, _ = shape
        names = ("name", "type", "flags", "addr", "offset", "size", "link", "info")
        return [dict(zip(names, struct.unpack_from("<IIQQQQII", self.data, offset + i * size))) for i in range(count)]

    def _symbol(self, at, strings):
        name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
        name = self.data[strings + name:self.data.index(0, strings + name)].decode()
        return {"name": name, "type": info & 15, "section": section, "value": value, "size": size}

    def size(self, name):
        return self.functions[name]["size"] // 8

    def _at(self, section, offset):
        return next(n for n, f in self.functions.items() if f["section"] == section and f["value"] == offset)

    def calls(self, name):
        """The names of the functions that one calls, or passes to a helper."""
        f, found = self.functions[name], set()
        base = self.sections[f["section"]]["offset"]
        for at in range(f["value"], f["value"] + f["size"], 8):
            code, registers, _, imm = struct.unpack_from("<BBhi", self.data, base + at)
            target = self.relocations.get((f["section"], at))
            if code == CALL and registers >> 4 == PSEUDO_CALL:
                if target and target["type"] != SECTION:
                    found.add(target["name"])
                else:
                    found.add(self._at(f["section"], (imm + 1) * 8 if target else at + (imm + 1) * 8))
            elif code == LOAD_64 and target and target["section"] == f["section"] and target["type"] in (FUNC, SECTION):
                found.add(target["name"] or self._at(f["section"], imm))
        return found


def called(runtime, names):
    """The instructions of all functions of the run-time library that NAMES lead to."""
    done, left = set(), set(names)
    while left:
        name = left.pop()
        done.add(name)
        left |= runtime.calls(name) - done
    return sum(runtime.size(name) for name in done)


def main(runtime, clang, *dumps):
    runtime, clang = Object(runtime), Object(clang)
    for path in map(Path, dumps):
        key, text = path.stem, path.read_text()
        sizes = re.findall(r"^dt_prog_\d+: (\d+) instructions", text, re.M)
        theirs = [n for n in clang.functions if n == key or n.startswith(key + "_")]
        if not sizes or not theirs:
            sys.exit(f"instructions: nothing to count: {key}")
        ours = sum(map(int, sizes))
        in_c = sum(map(clang.size, theirs))
        our_calls = set(re.findall(r"\bcall (dt_\w+)", text))
        their_calls = set().union(*(clang.calls(n) for n in theirs))
        print(key, ours, ours + called(runtime, our_calls), in_c, in_c + called(runtime, their_calls))


main(*sys.argv[1:])
