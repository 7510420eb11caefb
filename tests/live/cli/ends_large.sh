#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ^C ends dtrace soon while it reads a very large file: symbols and types before tracing and of a process that comes meanwhile, names of
# stacks at the end.  The debug information is one unit of more than 100 MB, the symbols are four million in no order.
# @timeout 240
# @needs gcc objcopy python3
# @slow
# @vm no: files too large for it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cd "$TMPDIR" || exit 1
bad=0
complain() {
	echo "$1"
	bad=1
}
cat >prog.c <<'E'
#include <unistd.h>
struct s { int a; };
__attribute__((noinline)) int large_function(struct s *p)
{
	usleep(1000);
	return getppid() + p->a;
}
int main(void)
{
	struct s s = {1};
	for (;;)
		large_function(&s);
}
__asm__(".pushsection .text.large,\"ax\"\n.globl large_start\nlarge_start: .fill 4000000, 1, 0x90\n"
	".globl large_end\nlarge_end: .popsection\n");
E
gcc -O1 -no-pie -o plain prog.c || exit 1
cat >make.py <<'E'
import os, random, struct, subprocess
NAMES = {line.split()[2]: int(line.split()[0], 16) for line in subprocess.check_output(["nm", "plain"], text=True).splitlines() if len(line.split()) == 3}
START, END = NAMES["large_start"], NAMES["large_end"]


def abbrev(number, tag, children, *attributes):
    return bytes([number, tag, children, *attributes, 0, 0])


def types():
    """Many structs and functions, in one unit."""
    NAME, SIZE, ENCODING, AT, TYPE, LOW, HIGH = 3, 0xb, 0x3e, 0x38, 0x49, 0x11, 0x12
    ADDR, DATA8, STRING, DATA1, REF4 = 1, 7, 8, 0xb, 0x13
    abbrevs = (abbrev(1, 0x11, 1, NAME, STRING, LOW, ADDR, HIGH, DATA8) + abbrev(2, 0x13, 1, NAME, STRING, SIZE, DATA1) +
        abbrev(3, 0xd, 0, NAME, STRING, TYPE, REF4, AT, DATA1) + abbrev(4, 0x24, 0, NAME, STRING, SIZE, DATA1, ENCODING, DATA1) +
        abbrev(5, 0x2e, 0, NAME, STRING, LOW, ADDR, HIGH, DATA8) + b"\0")
    head = struct.pack("<HIB", 4, 0, 8) + b"\1u.c\0" + struct.pack("<QQ", START, END - START)
    integer = struct.pack("<I", 4 + len(head))
    body = [head, b"\4int\0\4\5"]
    for i in range(2000000):
        body.append(b"\2s%d\0\x08\3a\0%b\0\3b\0%b\4\0" % (i, integer, integer))
        body.append(b"\5f%d\0%b" % (i, struct.pack("<QQ", START + i, 1)))
    body = b"".join(body) + b"\0"
    open("info", "wb").write(struct.pack("<I", len(body)) + body)
    open("abbrevs", "wb").write(abbrevs)
    subprocess.check_call(["objcopy", "--add-section", ".debug_info=info", "--add-section", ".debug_abbrev=abbrevs", "plain", "types"])


def symbols():
    """Many functions in no order, in a longer table of symbols at the end of the file."""
    d = bytearray(open("plain", "rb").read())
    table, = struct.unpack_from("<Q", d, 40)
    headers = [table + 64 * i for i in range(struct.unpack_from("<H", d, 60)[0])]
    syms = next(h for h in headers if struct.unpack_from("<I", d, h + 4)[0] == 2)
    strs = headers[struct.unpack_from("<I", d, syms + 40)[0]]

    def content(h):
        at, size = struct.unpack_from("<QQ", d, h + 24)
        return d[at:at + size]
    old, names = content(syms), [bytes(content(strs))]
    text = next(struct.unpack_from("<H", old, i + 6)[0] for i in range(0, len(old), 24) if old[i + 4] & 15 == 2 and old[i + 6])
    added, at = [bytes(old)], len(names[0])
    order = list(range(4000000))
    random.shuffle(order)
    for i in order:
        added.append(struct.pack("<IBBHQQ", at, 0x12, 0, text, START + i, 1))
        names.append(b"sym%d\0" % i)
        at += len(names[-1])
    for h, new in (syms, b"".join(added)), (strs, b"".join(names)):
        d += bytes(-len(d) % 16)
        struct.pack_into("<QQ", d, h + 24, len(d), len(new))
        d += new
    open("symbols", "wb").write(d)
    os.chmod("symbols", 0o755)


types()
symbols()
E
python3 make.py || exit 1
rm -f info

ticks() { # of CPU that process $1 took
	awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat" 2>/dev/null || echo 1000000
}

# ^C once dtrace has read for a while, which is to end within a second.
ends() { # WHAT
	local begin took
	begin=${EPOCHREALTIME/[.,]/}
	kill -INT "$tracer" 2>/dev/null
	wait "$tracer"
	took=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
	((took < 1000 * ${TIMEOUT_SCALE:-1})) || complain "$1: ^C took $took ms: $(tail -c 300 out.txt)"
	[[ -z $victim ]] || kill "$victim"
	[[ -z $victim ]] || wait "$victim" 2>/dev/null
}

traces() { # OPTION...
	env --default-signal=INT "$DTRACE" -q "$@" >out.txt 2>&1 &
	tracer=$!
	until [[ $(cat /proc/$tracer/comm 2>/dev/null) == dtrace ]]; do sleep 0.01; done
}

works() { # TICKS: waits until dtrace has taken as many more, or has ended
	local until=$(($(ticks "$tracer") + $1))
	while (($(ticks "$tracer") < until)) && kill -0 "$tracer" 2>/dev/null; do sleep 0.01; done
}

# the names of 400 addresses, which a ^C while tracing asks for
./symbols &
victim=$!
start=$(nm plain | sed -n 's/ T large_start$//p')
traces -p $victim -n 'BEGIN { n = 0; } syscall::getppid:entry /pid == $target/ { @[usym(0x'$start' + n++ * 9973)] = count(); }
	syscall::getppid:entry /n == 400/ { printf("begun"); }'
until grep -q begun out.txt || ! kill -0 $tracer 2>/dev/null; do sleep 0.02; done
ends "names"
for ((i = 0; i < 400; i++)); do grep -qE "\`sym$((i * 9973)) +1\$" out.txt || { complain "no name sym$((i * 9973))"; break; }; done

for after in 5 30 80; do
	for what in types symbols; do
		./$what &
		victim=$!
		traces -p $victim -n 'pid$target:a.out:large_function:entry { print(*args[0]); exit(0); }'
		works $after
		ends "$what, before"
		./$what &
		victim=$!
		traces -x ustackline -p $victim -n 'syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); } tick-100ms { exit(0); }'
		works $after
		ends "$what, at the end"
		# a process that comes
		victim=
		traces -Z -n 'BEGIN { printf("begun"); } pid*:'$what':large_function:entry { print(*args[0]); }'
		until grep -q begun out.txt || ! kill -0 $tracer 2>/dev/null; do sleep 0.02; done
		./$what &
		victim=$!
		works $after
		ends "$what, meanwhile"
		[[ $what != types ]] || ! grep 'does not compile' out.txt || complain "a reason that is none"
	done
	traces -ln 'pid$target:a.out:sym*:entry' -c ./symbols
	victim=
	works $after
	ends "a list"
done
exit $bad
