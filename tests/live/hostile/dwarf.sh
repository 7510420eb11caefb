#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# DWARF of another user's program that is small and costs much: a million units, units that share a huge table of abbreviations or
# a long list of ranges, a line table with ten million rows, scopes in scopes, and namespaces with a long name in each other.
# dtrace as root reads lines and types of it in little memory, does not crash, and ends soon after ^C; without traps, it finds both.
# @timeout 240
# @needs gcc objcopy setpriv python3
# @slow
. "$(dirname "$0")/lib.sh"

hostile_folder
cat >prog.c <<'END2'
#include <unistd.h>
struct s { int a; };
__attribute__((noinline)) int hostile_function(struct s *p)
{
	usleep(1000);
	return getppid() + p->a;
}
int main(void)
{
	struct s s = {1};
	for (;;)
		hostile_function(&s);
}
END2
gcc -O1 -no-pie -o plain prog.c && gcc -g -O1 -no-pie -o good prog.c || exit 1
from=0x$(nm plain | sed -n 's/^\([0-9a-f]*\) T _init$/\1/p') to=0x$(nm plain | sed -n 's/^\([0-9a-f]*\) T _fini$/\1/p')
cat >make.py <<'END2'
# make.py KIND FROM TO: the debug sections of a file with code there, as files NAME.blob
import struct, sys
kind, start, end = sys.argv[1], int(sys.argv[2], 0), int(sys.argv[3], 0)
COMPILE, BLOCK, FUNCTION, NAMESPACE = 0x11, 0x1d, 0x2e, 0x39
NAME, STMT_LIST, LOW, HIGH, RANGES = 3, 0x10, 0x11, 0x12, 0x55
ADDR, DATA8, STRING, STRP, OFFSET = 1, 7, 8, 0xe, 0x17
code = struct.pack("<QQ", start, end - start)


def uleb(v):
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def abbrev(number, tag, children, *attributes):
    return uleb(number) + uleb(tag) + bytes([children]) + bytes(attributes) + b"\0\0"


def unit(dies):
    body = struct.pack("<HIB", 4, 0, 8) + dies
    return struct.pack("<I", len(body)) + body


sections = {}
if kind in ("units", "interrupted"): # the latter just below the limit
    abbrevs, info = abbrev(1, COMPILE, 0), unit(b"\1") * (2000000 if kind == "units" else 800000)
elif kind == "abbreviations":
    abbrevs, info = b"".join(abbrev(i + 1, COMPILE, 0) for i in range(100000)), unit(uleb(100000)) * 5000
elif kind == "ranges":
    abbrevs = abbrev(1, COMPILE, 0, LOW, ADDR, RANGES, OFFSET)
    info = unit(b"\1" + struct.pack("<QI", start, 0)) * 2000
    sections["ranges"] = struct.pack("<QQ", 1 << 40, (1 << 40) + 1) * 100000 + bytes(16)
elif kind == "rows":
    abbrevs = abbrev(1, COMPILE, 0, STMT_LIST, OFFSET, LOW, ADDR, HIGH, DATA8)
    info = unit(b"\1" + struct.pack("<I", 0) + code)
    header = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0]) + b"f.c\0\0\0\0\0"
    body = struct.pack("<HI", 4, len(header)) + header + b"\0\x09\x02" + struct.pack("<Q", start) + b"\x14" * 40000000 + b"\0\1\1"
    sections["line"] = struct.pack("<I", len(body)) + body
    # what else knows the unit's code
    body = struct.pack("<HIBB4x", 2, 0, 8, 0) + code + bytes(16)
    sections["aranges"] = struct.pack("<I", len(body)) + body
elif kind == "scopes":
    abbrevs = abbrev(1, COMPILE, 1, LOW, ADDR, HIGH, DATA8) + abbrev(2, BLOCK, 1, LOW, ADDR, HIGH, DATA8)
    info = unit(b"\1" + code + (b"\2" + code) * 1000000 + bytes(1000001))
elif kind == "names":
    abbrevs = abbrev(1, COMPILE, 1, LOW, ADDR, HIGH, DATA8) + abbrev(2, NAMESPACE, 1, NAME, STRP) + abbrev(3, FUNCTION, 0, NAME, STRING, LOW, ADDR)
    functions = b"".join(b"\3f%d\0" % i + struct.pack("<Q", start + i) for i in range(20000))
    info = unit(b"\1" + code + b"\2\0\0\0\0" * 32 + functions + bytes(33))
    sections["str"] = b"x" * 100000 + b"\0"
sections |= {"info": info, "abbrev": abbrevs + b"\0"}
for name, content in sections.items():
    open(name + ".blob", "wb").write(content)
END2

# Runs dtrace with ARG...; $status, its output in out.txt.
limited() {
	status=0
	(
		ulimit -v 3000000
		exec timeout -k 5 $((60 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -p "$victim" "$@"
	) >out.txt 2>&1 || status=$?
}

# Looks for lines and types of PROGRAM, and complains where not $STATUS and TEXT.
check() { # PROGRAM LINE TYPES_STATUS TYPES_TEXT
	as_other "./$1" &
	victim=$!
	started "$victim" "$1"
	limited -x ustackline -x ustackinline -qn '
		syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }
		syscall::getppid:entry /pid == $target && n++ == 5/ { exit(0); }'
	[[ $status == 0 ]] && grep -q "$2" out.txt || complain "$1: lines: status $status, $(head -c 1000 out.txt)"
	limited -qn 'pid$target:a.out:hostile_function:entry { print(*args[0]); exit(0); }'
	[[ $status == "$3" ]] && grep -q "$4" out.txt || complain "$1: types: status $status, $(head -c 1000 out.txt)"
	kill "$victim"
	wait "$victim" 2>/dev/null
}

check good 'hostile_function.*prog\.c' 0 'a = (int)1'

# Makes the program $kind.
make() {
	local add=() f
	rm -f -- *.blob
	python3 make.py $kind "$from" "$to" || exit 1
	for f in *.blob; do add+=(--add-section ".debug_${f%.blob}=$f"); done
	objcopy "${add[@]}" plain $kind || exit 1
}

for kind in units abbreviations ranges rows scopes names; do
	make
	case $kind in
	units | abbreviations) text='debug information of .* is not read' ;;
	names) text='invalid probe specifier' ;; # there is a function, by chance
	*) text='are not known' ;;
	esac
	check $kind hostile_function 1 "$text"
done

# ^C, wherever it comes
kind=interrupted
make
as_other ./interrupted &
victim=$!
started "$victim" interrupted
for pause in 0.1 0.3 0.6 1; do
	env --default-signal=INT "$DTRACE" -p "$victim" -qn 'pid$target:a.out:hostile_function:entry { print(*args[0]); exit(0); }' >out.txt 2>&1 &
	tracer=$!
	sleep $pause
	begin=${EPOCHREALTIME/[.,]/}
	kill -INT "$tracer" 2>/dev/null
	wait "$tracer"
	took=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
	[[ $took -lt $((1000 * ${TIMEOUT_SCALE:-1})) ]] || complain "^C after $pause s took $took ms: $(head -c 1000 out.txt)"
done
kill "$victim"
wait "$victim" 2>/dev/null
hostile_done
