#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The preprocessor ends with dtrace, with all that it has started, and has limits.
# @needs python3
# @vm no: the command line, the kernel has no part in it
# @ref d-language 1.2 failure
# @ref cli 6 failure
set -u
. "${0%/*}/lib.sh"

printf 'BEGIN { exit(0); }\n' >s.d

# a preprocessor with a child, as cpp has cc1; both say who they are and never end
cat >slow <<'SH'
#!/bin/bash
bash -c 'echo $$ >child; exec sleep 100' &
echo $$ >parent
wait
SH
# Process PID ends in time, or has ended.
is_gone() { # PID
	local state
	for ((i = 0; i < 100; i++)); do
		state=$(sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null)
		[[ -n $state && $state != Z ]] || return 0
		sleep 0.05
	done
	return 1
}
chmod +x slow
for signal in KILL TERM INT; do
	rm -f child parent
	(trap - INT; exec "$DTRACE" -C -x cpppath=./slow -s s.d >/dev/null 2>&1) &
	tracer=$!
	for ((i = 0; i < 100; i++)); do
		[[ -s child && -s parent ]] && break
		sleep 0.05
	done
	what="dtrace ended by SIG$signal"
	guard=$(pgrep -P $tracer)
	[[ -n $guard ]] || complain "there is no guard"
	# a shell's background process ignores SIGINT, as does what it starts
	[[ $signal != INT ]] || kill -INT "$guard"
	kill -$signal $tracer
	[[ $signal == INT ]] || wait $tracer 2>/dev/null
	for pid in $guard $(<parent) $(<child); do
		is_gone "$pid" || { complain "process $pid is left: $(tr '\0' ' ' <"/proc/$pid/cmdline")"; kill -9 "$pid"; }
	done
	wait $tracer 2>/dev/null
done

# what is written without end
printf '#!/bin/sh\nexec yes\n' >endless
chmod +x endless
try "$DTRACE" -C -x cpppath=./endless -s s.d
expect_status 1
expect_err $'dtrace: failed to compile script s.d: Preprocessor failed to process input program: it wrote more than 64 MB\n'

# a FIFO that nobody writes to is named, wherever it is; a writer that is late is waited for
mkdir below
mkfifo fifo below/header
printf '#include <header>\nBEGIN { trace(A); exit(0); }\n' >waits.d
"$DTRACE" -C -I "$PWD/below" -s waits.d >header.txt 2>&1 &
header=$!
printf '#include "fifo"\nBEGIN { trace(A); exit(0); }\n' >beside.d
try "$DTRACE" -C -s beside.d
expect_status 1
expect_err $'dtrace: failed to compile script beside.d: Preprocessor failed to process input program: for 10 s it waited for somebody to write to the FIFO fifo\n'
try wait $header
contents out header.txt
expect_status 1
expect_out "dtrace: failed to compile script waits.d: Preprocessor failed to process input program: for 10 s it waited for somebody to write to the FIFO $PWD/below/header"$'\n'
(sleep 2; echo '#define A 5' >below/header) &
try "$DTRACE" -qC -I "$PWD/below" -s waits.d
expect_status 0
expect_out $'5\n'
wait

# a file without end uses up the memory
printf '#include "/dev/zero"\nBEGIN { exit(0); }\n' >zero.d
try "$DTRACE" -C -s zero.d
expect_status 1
expect_match stderr "$err" 'out of memory'
expect_match stderr "$err" \
	'dtrace: failed to compile script zero\.d: Preprocessor failed to process input program: it needs more than the 512 MB of memory that it may use'

# macros that double use it up as well, before there is any output; children of the shell are measured
{
	echo '#define A0 x x'
	for ((i = 1; i < 29; i++)); do
		echo "#define A$i A$((i - 1)) A$((i - 1))"
	done
	echo 'BEGIN { A28; exit(0); }'
} >doubles.d
try python3 -c '
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if used.ru_maxrss > 520 << 10 or used.ru_utime + used.ru_stime > 25:
    print(used)
sys.exit(status)' "$DTRACE" -C -s doubles.d
expect_status 1
expect_out ''
expect_match stderr "$err" \
	'dtrace: failed to compile script doubles\.d: Preprocessor failed to process input program: it needs more than the 512 MB of memory that it may use'

# what computes without end uses up the CPU time; a lower limit of the user is kept
printf '#!/bin/bash\nwhile :; do :; done\n' >busy
chmod +x busy
try bash -c 'ulimit -S -t 2; exec "$1" -C -x cpppath=./busy -s s.d' - "$DTRACE"
expect_status 1
expect_err $'dtrace: failed to compile script s.d: Preprocessor failed to process input program: it used up its CPU time of 20 s, or less if RLIMIT_CPU was less\n'

# limits of what the preprocessor itself uses
printf '#!/bin/bash\necho "limits: $(ulimit -t) $(ulimit -v)" >&2\nexit 1\n' >limits
chmod +x limits
try "$DTRACE" -C -x cpppath=./limits -s s.d
expect_status 1
expect_err $'limits: 20 524288\ndtrace: failed to compile script s.d: Preprocessor failed to process input program\n'

finish
