#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The whole table of what may follow what in a clause: each row's first statement with each column's second, for every
# action of the kind; assignments and subroutines stand anywhere; and a third statement is judged by all before it.
# @ref d-language 17.1 after-data after-aggregation after-speculate after-commit after-discard assignments-always
# @ref d-errors 2.12 D_COMM_DREC D_DREC_COMM D_AGG_COMM D_SPEC_SPEC D_SPEC_COMM D_SPEC_DREC D_AGG_SPEC D_ACT_SPEC D_EXIT_SPEC

data=('trace(1)' 'printf("x")' 'printa(@)' 'tracemem((void *)16, 8)' 'print((int *)16)' 'stack()' 'ustack()' 'jstack()' 'sym(1)'
	'mod(1)' 'func(1)' 'usym(1)' 'umod(1)' 'ufunc(1)' 'uaddr(1)' 'clear(@)' 'trunc(@)' 'trunc(@, 1)'
	'normalize(@, 2)' 'denormalize(@)' 'ftruncate()' 'setopt("quiet")')
destructive=('raise(9)' 'stop()' 'system("true")' 'freopen("f")' 'chill(1)' 'copyout((void *)1, 1, 1)'
	'copyoutstr("s", 1, 1)')
exit=('exit(0)')
agg=('@a = count()' '@b[1] = sum(1)' '@q = quantize(1)')
speculate=('speculate(1)' 'speculate(x)')
commit=('commit(1)' 'commit(x)')
discard=('discard(1)' 'discard(x)')
free=('x = 1' 'this->y = strlen("a")' 'self->z = speculation()' 'x++' 'strlen("s")' 'this->p = alloca(8)')

kinds=(data destructive exit agg speculate commit discard free)
declare -A expected=(
	[data,speculate]=D_SPEC_DREC [data,commit]=D_COMM_DREC
	[destructive,speculate]=D_SPEC_DREC [destructive,commit]=D_COMM_DREC
	[exit,speculate]=D_SPEC_DREC [exit,commit]=D_COMM_DREC
	[agg,speculate]=D_SPEC_DREC [agg,commit]=D_COMM_DREC
	[speculate,destructive]=D_ACT_SPEC [speculate,exit]=D_EXIT_SPEC [speculate,agg]=D_AGG_SPEC [speculate,speculate]=D_SPEC_SPEC
	[commit,data]=D_DREC_COMM [commit,destructive]=D_DREC_COMM [commit,exit]=D_DREC_COMM [commit,agg]=D_AGG_COMM
	[commit,speculate]=D_SPEC_COMM
)
bad=0 pairs=0

check() { # TAG STATEMENTS
	local err tag
	err=$("$DTRACE" -e -x errtags -n "int x; BEGIN { @ = count(); } BEGIN { $2; }" 2>&1 </dev/null)
	tag=${err#*: [}
	[[ $err ]] && tag=${tag%%]*}
	[[ $tag == "$1" ]] || { echo "$2: ${err:-accepted}, expected ${1:-accepted}"; bad=1; }
	((pairs++))
}

for first in "${kinds[@]}"; do
	declare -n a=$first
	for second in "${kinds[@]}"; do
		declare -n b=$second
		tag=${expected[$first,$second]}
		# every action of a kind against one of the other
		for one in "${a[@]}"; do check "$tag" "$one; ${b[0]}"; done
		for one in "${b[@]:1}"; do check "$tag" "${a[0]}; $one"; done
	done
done

# destructive actions that no BPF program may do: their place in the clause is judged first
for action in 'breakpoint()' 'panic()' 'x ? panic() : breakpoint()'; do
	check D_ACT_SPEC "speculate(1); $action"
	check D_ACT_SPEC "speculate(1); if (x) { $action; }"
	check D_DREC_COMM "commit(1); $action"
	check D_SPEC_DREC "$action; speculate(1)"
	check D_COMM_DREC "$action; commit(1)"
	check D_UNKNOWN "$action"
	check D_UNKNOWN "trace(1); $action; trace(2)"
done
check D_UNKNOWN 'discard(1); panic()'
check D_UNKNOWN 'panic(); } BEGIN { speculate(1); trace(1)'
check D_UNKNOWN '} void f() { panic(); } BEGIN { speculate(1); f()'

# what a loop does after each round
check D_ACT_SPEC 'speculate(1); for (x = 0; x < 3; raise(9)) x++'
check D_ACT_SPEC 'speculate(1); for (x = 0; x < 3; panic()) x++'
check D_SPEC_DREC 'for (x = 0; x < 3; trace(x)) x++; speculate(1)'
check D_DREC_COMM 'commit(1); for (x = 0; x < 3; trace(x)) x++'
check "" 'speculate(1); for (x = 0; x < 3; trace(x)) x++'

# more than two
check "" 'x = speculation(); speculate(x); x = 2; trace(1); stack(); discard(1)'
check "" 'speculate(x); trace(1); commit(x); discard(x); x = 3'
check "" 'commit(1); commit(2); discard(3); commit(4)'
check "" 'discard(1); speculate(x); trace(1)'
check "" 'discard(1); trace(1); @a = count(); exit(0)'
check D_SPEC_DREC 'discard(1); trace(1); speculate(1)'
check D_COMM_DREC 'x = 1; @a = count(); x = 2; commit(1)'
check D_DREC_COMM 'commit(1); x = 1; discard(2); trace(1)'
check D_AGG_SPEC 'speculate(1); trace(1); @a = count()'
check D_SPEC_COMM 'commit(1); discard(1); speculate(1)'
check D_DREC_COMM 'speculate(1); commit(1); trace(1)'
# a clause knows nothing of another
check "" 'trace(1); } BEGIN { speculate(1); trace(1); } BEGIN { commit(1); } BEGIN { @a = count()'
((pairs > 250)) || { echo "$pairs pairs only"; bad=1; }
exit $bad
