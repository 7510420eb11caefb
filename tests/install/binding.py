# SPDX-License-Identifier: Apache-2.0
"""binding.py LIBRARY COMMAND [ARG...]: what a language binding does, with the classic names alone:
structures laid out by hand, callbacks, a walk over aggregations.  Prints what COMMAND's process
does."""
import ctypes
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_int, c_int64, c_uint,
                    c_uint16, c_uint32, c_uint64, c_size_t, c_void_p, cast)

NEXT = THIS = OK = 0
DIFEXPR, STACK, COUNT, QUANTIZE = 1, 0x401, 0x701, 0x707


class ProbeDesc(Structure):
    _fields_ = [("id", c_uint32), ("provider", c_char * 64), ("mod", c_char * 64),
                ("func", c_char * 128), ("name", c_char * 64)]


class RecDesc(Structure):
    _fields_ = [("action", c_uint16), ("size", c_uint32), ("offset", c_uint32),
                ("alignment", c_uint16), ("format", c_uint16), ("arg", c_uint64),
                ("uarg", c_uint64)]


class EProbeDesc(Structure):
    _fields_ = [("epid", c_uint32), ("probeid", c_uint32), ("uarg", c_uint64), ("size", c_uint32),
                ("nrecs", c_int), ("rec", RecDesc * 1)]


class AggDesc(Structure):
    _fields_ = [("name", c_char_p), ("varid", c_int64), ("flags", c_int), ("id", c_uint32),
                ("epid", c_uint32), ("size", c_uint32), ("nrecs", c_int), ("pad", c_uint32),
                ("rec", RecDesc * 1)]


class ProbeData(Structure):
    _fields_ = [("handle", c_void_p), ("edesc", POINTER(EProbeDesc)),
                ("pdesc", POINTER(ProbeDesc)), ("cpu", c_int), ("data", c_void_p), ("flow", c_int),
                ("prefix", c_char_p), ("indent", c_int), ("timestamp", c_uint64)]


class AggData(Structure):
    _fields_ = [("handle", c_void_p), ("desc", POINTER(AggDesc)), ("edesc", POINTER(EProbeDesc)),
                ("pdesc", POINTER(ProbeDesc)), ("data", c_void_p), ("normal", c_uint64),
                ("size", c_size_t), ("delta", c_void_p), ("percpu", c_void_p)]


class BufData(Structure):
    _fields_ = [("handle", c_void_p), ("buffered", c_char_p), ("probe", POINTER(ProbeData)),
                ("recdesc", POINTER(RecDesc)), ("aggdata", POINTER(AggData)), ("flags", c_uint32)]


class ProgInfo(Structure):
    _fields_ = [("attributes", c_char * 6), ("aggregates", c_uint), ("recgens", c_uint),
                ("matches", c_uint), ("speculations", c_uint)]


CHEW = CFUNCTYPE(c_int, POINTER(ProbeData), c_void_p)
CHEWREC = CFUNCTYPE(c_int, POINTER(ProbeData), POINTER(RecDesc), c_void_p)
BUFFERED = CFUNCTYPE(c_int, POINTER(BufData), c_void_p)
WALK = CFUNCTYPE(c_int, POINTER(AggData), c_void_p)

lib = ctypes.CDLL(sys.argv[1])
lib.dtrace_open.restype = c_void_p
lib.dtrace_errmsg.restype = c_char_p
lib.dtrace_errmsg.argtypes = [c_void_p, c_int]
lib.dtrace_errno.argtypes = [c_void_p]
lib.dtrace_setopt.argtypes = [c_void_p, c_char_p, c_char_p]
lib.dtrace_handle_buffered.argtypes = [c_void_p, BUFFERED, c_void_p]
lib.dtrace_proc_create.restype = c_void_p
lib.dtrace_proc_create.argtypes = [c_void_p, c_char_p, POINTER(c_char_p)]
lib.dtrace_proc_continue.argtypes = [c_void_p, c_void_p]
lib.dtrace_program_strcompile.restype = c_void_p
lib.dtrace_program_strcompile.argtypes = [c_void_p, c_char_p, c_int, c_uint, c_int,
                                          POINTER(c_char_p)]
lib.dtrace_program_exec.argtypes = [c_void_p, c_void_p, POINTER(ProgInfo)]
lib.dtrace_go.argtypes = lib.dtrace_stop.argtypes = lib.dtrace_sleep.argtypes = [c_void_p]
lib.dtrace_work.argtypes = [c_void_p, c_void_p, CHEW, CHEWREC, c_void_p]
lib.dtrace_aggregate_snap.argtypes = [c_void_p]
lib.dtrace_aggregate_walk_valsorted.argtypes = [c_void_p, WALK, c_void_p]
lib.dtrace_close.argtypes = [c_void_p]

PROGRAM = b"""
BEGIN { printf("tracing %s\\n", $target ? "a process" : "nothing"); trace(7); trace("text"); }
syscall::getppid:entry /pid == $target/ { @calls[probefunc, pid == $target] = count(); }
syscall::getppid:entry /pid == $target/ { @sizes = quantize(-3); @sizes = quantize(1000); }
END { printf("done\\n"); }
"""


def records(desc):
    """The descriptions of an aggregation's records, which go on behind the structure."""
    first = ctypes.addressof(desc.contents) + AggDesc.rec.offset
    return (RecDesc * desc.contents.nrecs).from_address(first)


def number(at, size):
    return int.from_bytes(ctypes.string_at(at, size), sys.byteorder, signed=True)


def chew(data, arg):
    desc = data.contents.pdesc.contents
    print("probe", desc.provider.decode(), desc.name.decode(),
          data.contents.edesc.contents.nrecs, "records")
    return THIS


def chewrec(data, rec, arg):
    if not rec:
        print("end")
        return NEXT
    r = rec.contents
    if r.action == DIFEXPR:
        at = data.contents.data
        print("value", number(at, r.size) if r.size <= 8 else ctypes.string_at(at))
    return THIS


def buffered(data, arg):
    print("text", repr(data.contents.buffered.decode()))
    return OK


def walk(data, arg):
    agg = data.contents
    recs = records(agg.desc)
    keys = []
    for r in recs[1:-1]:
        at = agg.data + r.offset
        keys.append(number(at, r.size) if r.size <= 8 else ctypes.string_at(at).decode())
    value = recs[agg.desc.contents.nrecs - 1]
    if value.action == QUANTIZE:
        words = cast(agg.data + value.offset, POINTER(c_int64))
        result = {i: words[i] for i in range(127) if words[i]}
    else:
        result = number(agg.data + value.offset, 8)
    print("@" + agg.desc.contents.name.decode(), keys, hex(value.action), result)
    return NEXT


def main():
    err = c_int()
    h = lib.dtrace_open(3, 0, byref(err))
    if not h:
        sys.exit(lib.dtrace_errmsg(None, err).decode())

    def must(ok):
        if not ok:
            sys.exit(lib.dtrace_errmsg(h, lib.dtrace_errno(h)).decode())

    callbacks = CHEW(chew), CHEWREC(chewrec), BUFFERED(buffered), WALK(walk)
    must(not lib.dtrace_setopt(h, b"bufsize", b"256k"))
    if not lib.dtrace_setopt(h, b"nosuch", b"1"):
        sys.exit("nosuch is an option")
    print("error", lib.dtrace_errmsg(h, lib.dtrace_errno(h)).decode())
    must(not lib.dtrace_handle_buffered(h, callbacks[2], None))
    argv = (c_char_p * len(sys.argv[1:]))(*[a.encode() for a in sys.argv[2:]], None)
    proc = lib.dtrace_proc_create(h, argv[0], argv)
    must(proc)
    prog = lib.dtrace_program_strcompile(h, PROGRAM, 3, 0, 0, None)
    must(prog)
    info = ProgInfo()
    must(not lib.dtrace_program_exec(h, prog, byref(info)))
    print("matches", info.matches)
    must(not lib.dtrace_go(h))
    lib.dtrace_proc_continue(h, proc)
    while True:
        lib.dtrace_sleep(h)
        status = lib.dtrace_work(h, None, callbacks[0], callbacks[1], None)
        must(status >= 0)
        if status:
            break
    must(not lib.dtrace_stop(h))
    must(not lib.dtrace_aggregate_snap(h))
    must(not lib.dtrace_aggregate_walk_valsorted(h, callbacks[3], None))
    lib.dtrace_close(h)


main()
