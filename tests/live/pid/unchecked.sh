#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# -Z: a clause that does not compile without its probes is enabled when they come, in the order of the program, and
# shares variables and aggregations with the others; one that does not compile then either is told once, with its place.
# @ref d-language 4 zdefs
set -u
. "${0%/*}/lib.sh"

cat >lateprog.c <<'C'
struct thing { int number; const char *name; };
__attribute__((noinline)) int work(struct thing *t) { __asm__ volatile("" ::: "memory"); return t->number; }
int main(void)
{
	struct thing t = {0, "a thing"};

	for (t.number = 0; t.number < 10; t.number++)
		work(&t);
	return 0;
}
C
${CC} -g -O1 -o lateprog lateprog.c || complain "does not build"
{ cat lateprog.c; printf '%s\n' 'int more;'; } | sed 's/int number;/long before; int number;/; s/{0, "a thing"}/{7, 0, "older"}/' >later.c
${CC} -g -O1 -o later later.c || complain "does not build"
sed 's/number/count/g' lateprog.c >other.c
${CC} -g -O1 -o other other.c || complain "does not build"

# Trace what the commands start, each process from its first instruction on.
traced() { # COMMANDS PROGRAM DTRACE-ARGUMENTS...
	printf '%s\n' "$1" >run.sh
	printf '%s\n' "$2" >s.d
	shift 2
	try "$DTRACE" -Zq -x hold=exec "$@" -s s.d -c "sh run.sh"
	# of a busy machine: what is held is looked at anyway
	err=$(grep -v -e 'lost events* of processes' -e 'buffer for forks' err.txt)
	err=${err:+$err$'\n'}
}
work='pid*:lateprog:work:entry'

# two clauses, one of them checked from the start
traced 'for i in 1 2 3; do ./lateprog; done' "
$work { this->twice = 0; self->calls++; total++; @n[\"first\"] = sum(1); }
$work { this->twice = 2 * args[0]->number; self->last = args[0]->number; total += 1000; @n[\"second, with its member\"] = sum(args[0]->number); }
$work /this->twice > 10/ { @big = count(); @calls[self->last, self->calls] = count(); }
END { printf(\"%d\\n\", total); printa(\"%s %@d\\n\", @n); printa(\"%@d\\n\", @big); printa(\"%d %d %@d\\n\", @calls); }"
expect_err ""
expect_prints '30030
first 30
second, with its member 135
12
6 7 3
7 8 3
8 9 3
9 10 3
'

# all that may be new to the consumer: records, keys that nobody knew, stacks, a clock, faults, ERROR, speculations
traced './lateprog; ./lateprog' "
$work { @names[stringof(copyinstr((uintptr_t)args[0]->name)), args[0]->number > 7] = count(); }
$work /args[0]->number == 3/ { printf(\"%d \", args[0]->number); self->st = ustack(1); self->v = vtimestamp + 1; }
pid*:lateprog:work:return /self->v/ { @stacks[self->st] = count(); @ok[vtimestamp + 1 >= self->v] = count(); self->v = 0; }
$work /args[0]->number == 4/ { trace(*(int *)(uintptr_t)args[0]->number); }
$work { self->s = speculation(); speculate(self->s); printf(\"s%d \", args[0]->number); }
$work /args[0]->number == 9/ { commit(self->s); }
$work /args[0]->number != 9/ { discard(self->s); }
ERROR { @errors[arg4] = count(); }
END { printa(\"%s %d %@d\\n\", @names); printa(\"%k%@d\\n\", @stacks); printa(\"%d %@d\\n\", @ok); printa(\"%d %@d\\n\", @errors); }"
expect_text "faults" "$(grep -c 'dt_clause_3 .*invalid address (0x4) in action #1 at line 5' err.txt)" 2
expect_text "all records" "$(sed '/lateprog/d' out.txt | tr -s '\n ' ' ')" '3 s9 3 s9 a thing 1 4 a thing 0 16 1 1 1 2 1 2 '
expect_text "stacks" "$(grep -c 'lateprog`work' out.txt)" 2

# no other clause records, or there is none; exit() ends it
traced ./lateprog "$work { printf(\"%d,\", args[0]->number); }"
expect_err ""
expect_prints 0,1,2,3,4,5,6,7,8,9,
traced ./lateprog "$work { n++; } $work /args[0]->number == 4/ { exit(3); } $work { m++; } END { printf(\"%d %d\", n, m); }"
expect_prints '5 4'
for policy in fill ring; do
	traced ./lateprog "$work { printf(\"%d,\", args[0]->number); }" -x bufpolicy=$policy -x bufsize=16k
	expect_prints 0,1,2,3,4,5,6,7,8,9,
done

# more clauses than one program takes, and loops
traced ./lateprog "$(for ((i = 0; i < 25; i++)); do echo "$work { @c[$i] = count(); }"; done)
$work { for (i = 0; i < args[0]->number; i++) { @s = count(); } }
$work { @x = max(args[0]->number); }
END { printa(\"%@d \", @c); printa(\"%@d \", @s); printa(\"%@d\", @x); }"
expect_err ""
expect_prints "$(for ((i = 0; i < 25; i++)); do printf '10 '; done)45 9"

# clauses that are enabled one after another; what was attached before stays attached
traced './lateprog; ./later; ./lateprog' "$work { @n[execname] = sum(args[0]->number); self->last = args[0]->number; last = args[0]->number; }
pid*:later:work:entry { @n[execname] = sum(args[0]->number); self->other = args[0]->name; total += last; last = args[0]->number; }
pid*:late*:work:return { @returned[execname] = sum(arg1); }
END { printf(\"%d %d\n\", last, total); printa(\"%s %@d %@d\n\", @n, @returned); }"
expect_err ""
expect_prints '9 45
later 45 45
lateprog 90 90
'

# errors: the one that has them is left out
traced './lateprog; ./lateprog' "$work { @n = count(); }
$work {
	printf(\"never %d\n\",
		args[0]->nosuch); }
$work { @m = sum(args[0]->number); }
nosuch*:::fire { trace(args[0]->nosuch); }
END { printa(\"%@d \", @n); printa(\"%@d\", @m); }"
expect_prints '20 90'
expect_err 'dtrace: pid*:lateprog:work:entry matches probes now, but does not compile: line 4: nosuch is not a member of struct thing
dtrace: probe description nosuch*:::fire did not match any probes
'
traced ./lateprog "$work { n++; } $work { raise(args[0]->number); } END { trace(n); }"
expect_prints 10
expect_err 'dtrace: pid*:lateprog:work:entry matches probes now, but does not compile: Destructive actions not allowed
'
traced ./lateprog "$work { @k[copyinstr((uintptr_t)args[0]->name)] = count(); } END { printa(\"%d %@d\\n\", @k); }"
expect_match stderr "$err" 'does not compile: line 1: printa\( \) argument #1 is incompatible with conversion #1'

# what the clauses that run made of names stays: what another clause makes of them is refused, alone
traced ./lateprog "void add(int x) { @f = sum(x); } tick-1s { @f = sum(0); }
$work { n++; }
$work { add(args[0]->number); }
$work { m += args[0]->number; }
END { printf(\"%d %d\", n, m); printa(\" %@d\", @f); }"
expect_err 'dtrace: pid*:lateprog:work:entry matches probes now, but cannot be enabled: line 3: @f has another form than in the clauses that are traced already
'
[[ $out == '10 45 0'$'\n' || $out == '10 45'$'\n' ]] || complain "out $out"
traced ./lateprog "
typedef struct o { int x; int y; } o_t;
translator o_t < int *I > { x = 1; y = 2; };
$work { self->o = xlate <o_t *>((int *)arg0); @x = sum(self->o->x); }
$work { printf(\"%d %d\", self->o->y, args[0]->number); }"
expect_match stderr "$err" 'cannot be enabled: line 5: self->o has another form than in the clauses that are traced already'
expect_text "the one that runs" "$(tr -d ' \n' <out.txt)" 10
traced ./lateprog "$work { whole = *args[0]; @t = count(); } BEGIN { printf(\"%d\", whole); }"
expect_match stderr "$err" 'does not compile: line 1: '

# programs with different types of one name: those of the first hold for the clause, as for probes that come after its start
traced './lateprog; ./later' 'pid*:late*:work:entry { @n[execname] = sum(args[0]->number); } END { printa("%s %@d\n", @n); }'
expect_err ""
expect_prints 'lateprog 45
later 70
'
traced './other; ./lateprog' 'pid*:other:work:entry, pid*:lateprog:work:entry { @n[execname] = sum(args[0]->number); } END { printa("%s %@d\n", @n); }'
expect_match stderr "$err" 'pid\*:other:work:entry matches probes now, but does not compile: line 1: number is not a member of struct thing'
expect_match out "$out" 'lateprog +45'
finish
