#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that the user names and that never end, or wait: each is refused by name, or read up to a limit.
# @timeout 120
# @vm no: the command line, the kernel has no part in it
# @ref cli 2 s L
set -u
. "${0%/*}/lib.sh"

# Each ends soon; what waits has status 124.
soon() { try timeout "$((10 * ${TIMEOUT_SCALE:-1}))" "$@"; }

# programs
for mode in -e -G "-h -o x.h"; do
	# shellcheck disable=SC2086 # words
	soon "$DTRACE" $mode -s /dev/zero
	expect_status 1
	expect_err $'dtrace: failed to compile script /dev/zero: the file is a character device\n'
done
soon "$DTRACE" -s /dev/stdin
expect_match stderr "$err" 'empty D program'
soon bash -c 'exec "$1" -s /dev/stdin </dev/zero' - "$DTRACE"
expect_err $'dtrace: failed to compile script /dev/stdin: the file is a character device\n'
soon bash -c 'yes | "$1" -s /dev/stdin' - "$DTRACE"
expect_status 1
expect_err $'dtrace: failed to compile script /dev/stdin: the file is longer than 64 MB\n'
truncate -s 65M long.d
soon "$DTRACE" -s long.d
expect_status 1
expect_err $'dtrace: failed to compile script long.d: the file is longer than 64 MB\n'
mkfifo fifo
soon bash -c 'echo "BEGIN { trace(5); exit(0); }" >fifo & "$1" -qs fifo' - "$DTRACE"
expect_status 0
expect_out $'5\n'
# a program that fails is not read a second time
soon bash -c 'echo "syscall:::entry /0/ { exit(0); } BEGIN { trace(nope); }" >fifo & "$1" -s fifo' - "$DTRACE"
expect_status 1
expect_match stderr "$err" 'failed to resolve nope'

# a FIFO or a pipe without a writer is waited for, and a message says so; it ends by ^C
waiting='nothing has been written to this FIFO or pipe yet'
waits_and_ends() { # WHAT ARGUMENT...
	local text=$1
	shift
	rm -f pid
	: >err.txt
	# SIGALRM: the time is over, as soon as there is a message
	(until [[ -s err.txt && -s pid ]]; do sleep 0.05; done; kill -ALRM "$(<pid)") &
	try sh -c 'echo $$ >pid; exec timeout -s INT -k 3 "$@"' - $((10 * ${TIMEOUT_SCALE:-1})) "$DTRACE" "$@"
	kill $! 2>/dev/null
	wait
	expect_status 124
	expect_err "dtrace: waiting for $text"$'\n'
}
waits_and_ends "fifo: $waiting" -s fifo
waits_and_ends "fifo: $waiting" --view fifo
"$DTRACE" --output=json -qn "BEGIN { @ = count(); exit(0); }" >saved
waits_and_ends "fifo: $waiting" --diff fifo --output=flamegraph --view saved
echo 'BEGIN { trace(6); exit(0); }' >ok.d
# until dtrace has said that it waits
said() { until [[ -s err.txt ]]; do sleep 0.05; done; }
export -f said
soon bash -c '"$1" -qs <(said; cat ok.d)' - "$DTRACE"
expect_status 0
expect_out $'6\n'
expect_match stderr "$err" "^dtrace: waiting for /dev/fd/[0-9]*: $waiting"
soon bash -c '(said; cat ok.d >fifo) & "$1" -qs fifo; wait' - "$DTRACE"
expect_status 0
expect_out $'6\n'

# outputs that nobody reads
printf 'provider p { probe a(); };\n' >p.d
unread='nobody reads this FIFO yet'
waits_and_ends "fifo: $unread" -qo fifo -n 'BEGIN { exit(0); }'
waits_and_ends "fifo: $unread" --output=json:fifo -qn 'BEGIN { exit(0); }'
waits_and_ends "fifo: $unread" -h -s p.d -o fifo
mkfifo fifo.html
waits_and_ends "fifo.html: $unread" --output=flamegraph:fifo.html -qn 'BEGIN { stack(); exit(0); }'
soon bash -c '(said; cat fifo >got) & "$1" -qo fifo -n "BEGIN { trace(8); exit(0); }"; wait' - "$DTRACE"
expect_status 0
[[ $(<got) == 8* ]] || complain "-o fifo: $(<got)"
# while it traces it does not wait
soon "$DTRACE" -wqn 'BEGIN { freopen("fifo"); printf("here\n"); exit(0); }'
expect_status 0
expect_out $'here\n\n'
expect_match stderr "$err" "couldn't freopen\(\) \"fifo\": nobody reads this FIFO or socket"
# once cat waits for a writer: 257 is openat(2)
soon bash -c 'cat fifo >got & until read -r n _ <"/proc/$!/syscall" && [[ $n == 257 && $(<"/proc/$!/comm") == cat ]]; do :; done
	"$1" -wqn "BEGIN { freopen(\"fifo\"); printf(\"there\\n\"); exit(0); }"; wait' - "$DTRACE"
expect_status 0
[[ $(<got) == there* ]] || complain "freopen(): $(<got)"

# debug information of a program
if command -v "${CC:-cc}" >/dev/null; then
	printf '#include <unistd.h>\nstruct s { int a; };\n__attribute__((noinline)) int f(struct s *p) { return p->a + getppid(); }\nint main(void) { struct s s = {1}; return f(&s) & 0; }\n' >split.c
	${CC:-cc} -g -O1 -gsplit-dwarf -o split split.c
	for dwo in *.dwo; do
		rm "$dwo"
		mkfifo "$dwo"
	done
	[[ -p $dwo ]] || complain "there is no .dwo file"
	# shellcheck disable=SC2016
	soon "$DTRACE" -qn 'pid$target:a.out:f:entry { print(*args[0]); }' -c ./split
	expect_status 1
	expect_match stderr "$err" 'debug information of .*/split is in .*split\.dwo, which is not a regular file'
	# shellcheck disable=SC2016
	soon "$DTRACE" -x ustackline -x ustackinline -qn 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c ./split
	expect_status 0
	expect_match stdout "$out" 'split`f\+0x[0-9a-f]+ \(split\.c:3\)'
fi

# libraries
mkdir devices fifos folders large
ln -s /dev/zero devices/a.d
mkfifo fifos/a.d
mkdir folders/a.d
mv long.d large/a.d
for folder in devices fifos folders; do
	soon "$DTRACE" -L $folder -e -n BEGIN
	expect_status 1
	expect_match stderr "$err" "\"$folder/a\.d\", line 1: the library is not a regular file"
done
soon "$DTRACE" -L large -e -n BEGIN
expect_status 1
expect_match stderr "$err" '"large/a\.d", line 1: the file is longer than 64 MB'

# saved sessions
soon "$DTRACE" --view /dev/zero
expect_status 1
expect_err $'dtrace: the file /dev/zero is a character device\n'
soon "$DTRACE" --diff /dev/zero --output=flamegraph --view saved
expect_status 1
expect_match stderr "$err" 'the file /dev/zero is a character device'

# objects
for object in fifo /dev/zero; do
	soon "$DTRACE" -G -s p.d $object
	expect_status 1
	expect_err "dtrace: failed to link script p.d: failed to open $object: it is not a regular file"$'\n'
done

finish
