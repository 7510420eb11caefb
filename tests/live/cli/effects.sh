#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What options do, one after the other; what is not there yet is refused, not ignored.
# @timeout 90
# @ref cli 3.2 rate-adjusted quietresize
# @ref options 1 not-supported pragma-in-string pragma-two-options pragma-overrides
# @ref options 3 oformat bufresize cleanrate cpu jstackframes lockmem quietresize stackframes statusrate switchrate ustackframes
# @ref options 4 pgmax sysslice useruid
# @ref options 5.4 nspec-zero
# @ref options 5.5 last-value-holds
# @ref options 5.6 only-that-cpu begin-and-end invalid
# @ref options 5.8 switchrate-skips
set -u
. "${0%/*}/lib.sh"

triggers=$BUILD/tests/live/triggers

# ---- not there yet
for option in zone=1 grabanon ctfpath=/x ctypes=/x dtypes=/x debugassert=mutexes preallocate=1m iregs=4 tregs=4; do
	try "$DTRACE" -x "$option" -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_out ""
	expect_err "dtrace: failed to set -x ${option%%=*}: Option '${option%%=*}' is not supported yet"$'\n'
done

# ---- nothing to do: no process is stopped, no linker is run, nothing registers, symbols are never left open
for option in pgmax=3 sysslice=x useruid=1 lazyload ldpath=ld linkmode=kernel linktype=elf linknommap strip \
	kdefs knodefs udefs unodefs dofstashpath=/x modpath=/x procfspath=/x; do
	try "$DTRACE" -x "$option" -qn 'BEGIN { exit(0); }'
	expect_status 0
	expect_err ""
done
printf '#pragma D option kdefs\n#pragma D option unodefs\n#pragma D option dofstashpath=/x\nBEGIN { exit(0); }\n' >accepted.d
try "$DTRACE" -qs accepted.d
expect_status 0
expect_err ""
for bad in modpath=/x procfspath=/x; do
	printf '#pragma D option %s\nBEGIN { exit(0); }\n' $bad >refused.d
	try "$DTRACE" -qs refused.d
	expect_status 1
	expect_match stderr "$err" 'Option cannot be used from within a D program'
done
# they change nothing
try "$DTRACE" -x knodefs -x unodefs -x errtags -n 'BEGIN { trace(`no_such_symbol); }'
expect_status 1
expect_match stderr "$err" '\[D_IDENT_UNDEF\]'
for bad in pgmax=x useruid=- kdefs=1 procfspath modpath dofstashpath; do
	try "$DTRACE" -x "$bad" -qn 'BEGIN { exit(0); }'
	expect_status 1
	expect_err "dtrace: failed to set -x ${bad%%=*}: Invalid value for specified option"$'\n'
done

# ---- pragmas of programs on the command line
try "$DTRACE" -x quiet=no -n '
#pragma D option quiet
BEGIN { printf("a"); exit(0); }'
expect_out $'a\n'
try "$DTRACE" -qn 'BEGIN { exit(0); }
#pragma D option aggrate=1 strsize=2
'
expect_status 1
expect_match stderr "$err" ': superfluous arguments specified for #pragma option'$'\n$'

# ---- environments of processes, see hooks.sh
for bad in setenv=ONE setenv==1 setenv= setenv unsetenv=ONE=1 unsetenv= unsetenv; do
	try "$DTRACE" -x $bad -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_err "dtrace: failed to set -x ${bad%%=*}: Invalid value for specified option"$'\n'
done
printf '#pragma D option setenv=A=1\nBEGIN { exit(0); }\n' >p.d
try "$DTRACE" -s p.d
expect_match stderr "$err" "failed to set option 'setenv' to 'A=1': Option cannot be used from within a D program"

# ---- rates: the least period of cleaning
rate() { # VALUE MESSAGE
	try "$DTRACE" -x cleanrate=$1 -qn 'BEGIN { exit(0); }'
	expect_status 0
	expect_out $'\n'
	expect_err "$2"
}
rate 5001hz $'dtrace: cleaning rate reduced to 5000 hz\n'
rate 199us $'dtrace: cleaning rate reduced to 5000 hz\n'
rate 0 $'dtrace: cleaning rate reduced to 5000 hz\n'
rate 200us ''
rate 5000hz ''
rate 1s ''
try "$DTRACE" -x quietresize -x cleanrate=6000hz -qn 'BEGIN { exit(0); }'
expect_status 0
expect_err ""

# statusrate: drops are counted all the time, and said when it is time, and at the end
filling='BEGIN { n = 0; } tick-50 { for (this->i = 0; this->i < 50; this->i++) @[n, this->i] = count(); n++; } tick-2500ms { exit(0); }'
try "$DTRACE" -x cpu=0 -x aggsize=1k -x statusrate=1h -qn "$filling"
expect_status 0
expect_match stderr "$err" $'^dtrace: [0-9]+ aggregation drops on CPU 0\n$'
try "$DTRACE" -x cpu=0 -x aggsize=1k -x statusrate=100ms -qn "$filling"
[[ $(grep -cE '^dtrace: [0-9]+ aggregation drops? on CPU 0$' err.txt) -gt 2 ]] || complain "messages: $err"

# switchrate: after the first look nothing is read before it is time; at the end everything is
cat >child <<END
#!/bin/sh
until grep -q begun written; do sleep 0.05; done
$triggers/calls getppid 1
sleep 1
cp written seen
END
chmod +x child
for rate in 0 1h; do
	rm -f written seen
	try timeout 40 "$DTRACE" -x switchrate=$rate -o written -qn 'BEGIN { printf("begun "); }
		syscall::getppid:entry /execname == "calls" && progenyof($target)/ { printf("record"); }' -c ./child
	expect_status 0
	[[ $rate == 0 ]] && want="begun record" || want="begun "
	expect_text "seen at switchrate $rate" "$(cat seen)" "$want"
	expect_text "written at switchrate $rate" "$(cat written)" "begun record"
done

# ---- one CPU only
cpus=($(lscpu -p=CPU | grep -v '^#'))
for cpu in "${cpus[@]:0:2}"; do
	# a virtual CPU that has nothing to do may get its clock's events late, or never
	taskset -c "$cpu" sh -c 'while :; do :; done' &
	busy=$!
	try "$DTRACE" -x cpu=$cpu -qn 'BEGIN,END { printf("%d ", cpu); } profile-997 { @[cpu] = count(); } tick-20 /cpu != '$cpu'/ { printf("tick"); }
		tick-5 { exit(0); }'
	expect_status 0
	kill "$busy"
	wait "$busy" 2>/dev/null
	expect_match stdout "$out" "^$cpu $cpu "$'\n'" +$cpu +[0-9]+"$'\n$'
done
if [[ ${#cpus[@]} -ge 2 ]]; then
	for cpu in "${cpus[@]:0:2}"; do
		try taskset -c "${cpus[0]}" "$DTRACE" -x cpu=$cpu -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
			-c "taskset -c ${cpus[1]} $triggers/calls getppid 5"
		expect_status 0
		[[ $cpu == "${cpus[1]}" ]] && want=$'\n                5\n' || want=$'\n'
		expect_out "$want"
	done
fi
try "$DTRACE" -x cpu=4000 -qn 'BEGIN { exit(0); }'
expect_status 1
expect_err $'dtrace: could not enable tracing: cannot trace on CPU 4000: there is no such CPU\n'

# ---- depths of stacks
frames() { # OPTION ACTION FRAMES
	try "$DTRACE" -x $1 -qn "syscall::getppid:entry /pid == \$target/ { $2; exit(0); }" -c "$triggers/frames 1"
	expect_status 0
	expect_text "frames of $1 $2" "$(grep -c '`' out.txt)" "$3"
}
for n in 1 3; do
	frames jstackframes=$n 'jstack()' $n
	frames ustackframes=$n 'ustack()' $n
	frames stackframes=$n 'stack()' $n
	# of that kind alone, and a depth that is written goes first
	frames jstackframes=$n 'ustack(2)' 2
	frames jstackframes=$n 'jstack(2)' 2
done
frames 'ustackframes=1 -x stackframes=1 -x jstackframes=2' 'jstack()' 2
frames 'ustackframes=2 -x stackframes=1 -x jstackframes=1' 'ustack()' 2

# ---- sizes
try "$DTRACE" -x strsize=16 -qn 'BEGIN { printf("%d %s\n", sizeof(string), "abcdefghijkl"); }' \
	-n $'\n#pragma D option strsize=6\nBEGIN { printf("%s", "abcdefghijkl"); exit(0); }'
expect_status 0
expect_match stdout "$out" $'^[0-9]+ abcdef\nabcdef\n$'
try "$DTRACE" -x nspec=0 -qn 'BEGIN { speculation(); exit(0); }'
expect_status 1
expect_err $'dtrace: could not enable tracing: failed to create BPF map \'specs\': Invalid argument\n'
try "$DTRACE" -x bufresize=manual -qn 'BEGIN { exit(0); }'
expect_status 0
try "$DTRACE" -x bufresize=never -n 'BEGIN { exit(0); }'
expect_err $'dtrace: failed to set -x bufresize: Invalid value for specified option\n'

# a document instead of text
document() { # WORDS BEGINS ENDS
	try "$DTRACE" -x oformat=$1 -n 'BEGIN { trace(42); exit(0); }'
	expect_status 0
	expect_match "$1" "$out" "^$2.*[^0-9]42[^0-9].*$3"$'\n$'
}
document json '\{"dtrace":\{' '\}'
document xml '<\?xml version="1.0"[^>]*>'$'\n''<dtrace>' '</dtrace>'
document html '<!DOCTYPE html>'$'\n' '</html>'
document text 'CPU +ID +FUNCTION:NAME'$'\n' ''
for bad in nosuch json,nosuch JSON ''; do
	try "$DTRACE" -x oformat=$bad -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_err $'dtrace: failed to set -x oformat: Invalid value for specified option\n'
done

# the limit of locked memory; raising it may take more than we have here
hard=$(ulimit -Hl)
if [[ $hard == unlimited || $hard -ge 64 ]]; then
	try "$DTRACE" -w -x lockmem=64k -qn 'BEGIN { system("grep locked /proc/$PPID/limits"); exit(0); }'
	expect_status 0
	expect_match stdout "$out" 'Max locked memory +65536 '
fi

finish
