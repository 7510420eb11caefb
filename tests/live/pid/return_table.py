#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""return_table.py TABLE LIBC: can anything unwind through a function of the table?

Follows the code of each function, and of all that it calls or jumps to, in the disassembly of LIBC.  A function is unsafe if
that reaches a call through a pointer, which may be one of the program's, or the function that makes a thread cancellable, which
all cancellation points call.  Prints the unsafe ones, each with how it is reached; status 1 if there are some.
"""
import re
import subprocess
import sys

# these never return to the function, and end the process
ENDS = {"abort", "__stack_chk_fail", "__libc_fatal", "__chk_fail", "_exit", "__assert_fail"}
# The allocator calls getrandom() once, in a process's first allocation, when it has no other thread: it cannot be cancelled.
ONCE = {"getrandom"}
# they call the kernel's vDSO, which calls nothing, through pointers that only libc writes
VDSO = ("clock_gettime", "sched_getcpu", "time", "gettimeofday")
# of ld.so: they call nothing of the program
LOADER = {"__tls_get_addr", "__tunable_get_val", "__tunable_is_initialized", "_dl_find_dso_for_object", "_dl_fatal_printf", "_dl_exception_create",
          "__rtld_version_placeholder", "_dl_audit_preinit"}


def disassemble(libc):
    """Instructions by address: (mnemonic, operands, next address)."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-w", "-j", ".text", libc], capture_output=True, text=True,
                          check=True).stdout
    insns, before = {}, None
    for m in re.finditer(r"^ +([0-9a-f]+):\s+(?:(?:bnd|notrack|lock|rep\w*|data16|cs) )*(\S+) *(.*)$", text, re.M):
        addr = int(m[1], 16)
        if before is not None:
            insns[before][2] = addr
        insns[addr] = [m[2], m[3], None]
        before = addr
    return insns


def symbols(libc):
    names = {}
    for line in subprocess.run(["readelf", "-sW", "--dyn-syms", libc], capture_output=True, text=True, check=True).stdout.splitlines():
        f = line.split()
        if len(f) == 8 and f[3] in ("FUNC", "IFUNC") and f[6] != "UND":
            names.setdefault(f[7].split("@")[0], (int(f[1], 16), f[3], int(f[2], 0)))
    return names


class Code:
    def __init__(self, libc):
        self.insns = disassemble(libc)
        self.names = symbols(libc)
        self.ends = {self.names[n][0] for n in ENDS if n in self.names}
        # the function that prints a complaint and aborts: __libc_fatal() does nothing else
        if "__libc_fatal" in self.names:
            self.ends |= self.calls(self.names["__libc_fatal"][0], self.names["__libc_fatal"][2]) - {None}
        self.known = {None: False}  # ends_process(): what it said
        self.once = {self.names[n][0] for n in ONCE if n in self.names}
        # what read, write, pause and poll have in common is how a thread becomes cancellable
        self.cancels = set.intersection(*(self.calls(self.names[n][0], self.names[n][2]) for n in ("read", "write", "poll", "connect")))

    def calls(self, start, size):
        return {self.target(self.insns[a][1]) for a in range(start, start + size)
                if a in self.insns and self.insns[a][0].startswith("call")}

    @staticmethod
    def target(operands):
        m = re.match(r"([0-9a-f]+) <", operands)
        return int(m[1], 16) if m else None

    def reaches(self, start):
        """Why START is unsafe; None: it is not."""
        todo, seen = [(start, "")], set()
        while todo:
            addr, way = todo.pop()
            while addr is not None and addr in self.insns and addr not in seen:
                seen.add(addr)
                op, operands, after = self.insns[addr]
                target = self.target(operands)
                if op.startswith("call") and self.ends_process(target):
                    break
                if op.startswith("call"):
                    why = self.judge(target, operands, addr)
                    if why:
                        return way + why
                    if target in self.once and way:
                        addr = after
                        continue
                    if target is not None and target in self.insns:
                        todo.append((target, "%s%x: " % (way, target)))
                elif op.startswith("jmp"):
                    if operands.startswith("*"):
                        if self.is_table(addr):
                            break
                        return way + "a jump through a pointer at %x" % addr
                    if "plt" in operands:
                        why = self.judge(target, operands, addr)
                        if why:
                            return way + why
                        break
                    addr = target
                    continue
                elif op.startswith("j"):
                    todo.append((target, way))
                elif op in ("ret", "retq", "hlt", "ud2"):
                    break
                addr = after
        return None

    def ends_process(self, start):
        """True if no way through the function at START comes to a return: it aborts, as failed assertions do."""
        if start in self.known:
            return self.known[start]
        self.known[start] = start in self.ends
        todo, seen = [start], set()
        while todo and not self.known[start]:
            addr = todo.pop()
            while addr is not None and addr not in seen:
                seen.add(addr)
                op, operands, after = self.insns.get(addr, ["ret", "", None])
                if op.startswith("call") and self.ends_process(self.target(operands)):
                    break
                if op in ("ret", "retq") or (op == "jmp" and operands.startswith("*")):
                    return False
                if op in ("hlt", "ud2"):
                    break
                if op.startswith("j"):
                    todo.append(self.target(operands))
                addr = None if op == "jmp" else after
        self.known[start] = True
        return True

    def is_table(self, addr):
        """True if a register was made by adding two just before: a switch statement's way to its cases."""
        before = [self.insns[a][0] for a in range(addr - 24, addr) if a in self.insns]
        return "add" in before[-3:] and self.insns[addr][1].startswith("*%")

    def judge(self, target, operands, addr):
        if target in self.cancels:
            return "a cancellation point at %x" % addr
        if operands.startswith("*") and not any(
                self.names[n][0] <= addr < self.names[n][0] + self.names[n][2] for n in VDSO if n in self.names):
            return "a call through a pointer at %x" % addr
        m = re.search(r"<(?:\*ABS\*|([^@+>]+))[^>]*@plt>", operands)
        if m and m[1] and m[1] not in LOADER and m[1] not in self.table:
            return "a call of %s at %x" % (m[1], addr)
        return None


def main():
    table, libc = sys.argv[1:]
    names = re.findall(r"^RETURNS\((\w+)\)$", open(table).read(), re.M)
    code = Code(libc)
    code.table = set(names)
    bad = 0
    if len(code.cancels) < 1 or not code.cancels - {None}:
        print("no function is common to the cancellation points")
        return 1
    # the test can fail: these are unsafe
    for name in ("qsort", "bsearch", "read", "fwrite", "pthread_once", "dl_iterate_phdr", "getaddrinfo", "system"):
        if name in code.names and not code.reaches(code.names[name][0]):
            print("%s: taken to be safe" % name)
            bad = 1
    for name in names:
        if name not in code.names or code.names[name][1] == "IFUNC":
            continue
        why = code.reaches(code.names[name][0])
        if why:
            print("%s: %s" % (name, why))
            bad = 1
    if names != sorted(names):
        print("the table is not in order")
        bad = 1
    return bad


sys.exit(main())
