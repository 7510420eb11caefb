#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Without -w no program with a destructive action starts, wherever in it the action is; with -w, the option, a pragma or the
# environment variable it does, and says so unless quiet. Actions that destroy nothing need none of it.
# @timeout 60
# @ref d-builtins 2 destructive-refused
# @ref d-errors 1.2 start-of-tracing
# @ref d-errors 1.4 destructive
# @ref cli 8 destructive; options 3 destructive

fail() { echo "$*"; cat err out; exit 1; }

refused() { # WHAT PROGRAM OPTION...
	local what=$1 program=$2
	shift 2
	"$DTRACE" -q "$@" -n "$program" >out 2>err </dev/null && fail "$what: started"
	[[ $(<err) == "dtrace: could not enable tracing: Destructive actions not allowed" ]] || fail "$what: message"
	[[ ! -s out ]] || fail "$what: output"
	[[ ! -e touched ]] || fail "$what: it acted"
}

for action in 'raise(0)' 'stop()' 'system("touch touched")' 'freopen("touched")' 'freopen("")' 'chill(1)' \
	'copyout(alloca(1), arg0, 1)' 'copyoutstr("a", arg0, 1)'; do
	refused "$action" "BEGIN { $action; exit(0); }"
	refused "$action after others" "BEGIN { x = 1; printf(\"%d\", x); $action; exit(0); }"
	refused "$action behind a predicate" "BEGIN /0/ { $action; } BEGIN { exit(0); }"
	refused "$action in END" "BEGIN { exit(0); } END { $action; }"
	refused "$action in a condition" "BEGIN { if (pid == 0) $action; exit(0); }"
done
refused 'switched off' 'BEGIN { raise(0); exit(0); }' -x destructive=no
refused 'switched off again' 'BEGIN { raise(0); exit(0); }' -w -x destructive=no
refused 'in ERROR' 'BEGIN { exit(0); } ERROR { system("touch touched"); }'

# What is said of the matched probes comes first.
"$DTRACE" -n 'BEGIN { raise(0); exit(0); }' >out 2>err && fail "not quiet: started"
diff err - <<'E2' || fail "not quiet"
dtrace: description 'BEGIN ' matched 1 probe
dtrace: could not enable tracing: Destructive actions not allowed
E2

allowed() { # WHAT OPTION...
	local what=$1
	shift
	"$DTRACE" "$@" -n "${pragma:-}BEGIN { system(\"touch touched\"); exit(3); }" >out 2>err
	[[ $? == 3 ]] || fail "$what: did not run"
	[[ -e touched ]] || fail "$what: no system()"
	rm touched
	grep -qx "dtrace: allowing destructive actions" err
}

allowed -w -w || fail "-w: no notice"
allowed -x -x destructive || fail "-x destructive: no notice"
allowed -x -x destructive=yes || fail "-x destructive=yes: no notice"
pragma=$'#pragma D option destructive\n' allowed pragma || fail "pragma: no notice"
DTRACE_OPT_DESTRUCTIVE=1 allowed environment || fail "environment: no notice"
allowed quiet -w -q && fail "quiet: the notice"

# Nothing destructive about these.
"$DTRACE" -q -n 'BEGIN { ftruncate(); setopt("quiet"); @ = count(); clear(@); trunc(@); printf("ran"); exit(0); }' >out 2>err ||
	fail "ftruncate() and others: refused"
[[ $(<out) == ran && ! -s err ]] || fail "ftruncate() and others"

# Compiling alone is no crime.
"$DTRACE" -q -e -n 'BEGIN { raise(0); system("touch touched"); }' >out 2>err || fail "-e: refused"
[[ ! -e touched ]] || fail "-e: it acted"
