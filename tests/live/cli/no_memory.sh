#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where an allocation fails, the functions of the library return an error: the process is not ended within them, and leaks
# nothing. A status of 2 is of the command line itself. Some forty allocations of each command, and all in which the places of
# returns are found; "make check-hostile" has more of both.
# @timeout 120
# @vm no: it does not depend on the kernel
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
export DTRACE_OPT_CONFINE=off # LeakSanitizer needs a process that is not confined
bad=0

try() { # AT ARGUMENT...
	local at=$1
	shift
	status=0
	SCARCE_AT=$at SCARCE_OUT=count timeout -k 5 30 "$BUILD/dtrace-scarce" "$@" >out.txt 2>err.txt </dev/null || status=$?
}

# each fails in a function of its own: to compile, to trace, to list, to explain, to view
each() { # FUNCTION MESSAGE ARGUMENT... ; all=N: each of the last N allocations
	local n last from=$((1 + RANDOM % 3)) step told=0 what=$1 message=$2
	shift 2
	try 0 "$@"
	last=$(<count)
	[[ $status == 0 && $last -gt 20 ]] || { echo "$what: status $status, $last allocations: $(<err.txt)"; bad=1; return; }
	step=$((last / 40 + 3))
	[[ ! ${all-} ]] || from=$((last - all)) step=1
	for ((n = from; n <= last; n += step)); do
		try "$n" "$@"
		grep -q "$message" err.txt && told=$((told + 1))
		[[ $status == [012] ]] && ! grep -qE '^dtrace: out of memory$|left open|LeakSanitizer' err.txt ||
			{ echo "$what, allocation $n: status $status: $(head -n 5 err.txt)"; bad=1; }
	done
	[[ $told -gt 0 ]] || { echo "$what: never '$message'"; bad=1; }
}

each dtrace_session_go "could not enable tracing: Memory allocation failure" -qn 'BEGIN { @["a"] = count(); exit(0); }'
each dtrace_probe_each "Memory allocation failure" -lP syscall
all=120 each pid_returns "Memory allocation failure" -xreturns=instruction -ln 'pid$target:libc.so.6:str*:return' -c true
each dtrace_help "Memory allocation failure" --help walltimestamp
"$DTRACE" --output=json:saved.json -qn 'BEGIN { printf("saved"); @["a"] = quantize(3); exit(0); }' >err.txt 2>&1 || { cat err.txt; exit 1; }
each dtrace_view "Memory allocation failure" --view saved.json
exit $bad
