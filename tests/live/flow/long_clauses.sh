#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# long_clauses: clauses of any length load and do what short ones do, whatever lives from their first statement to
# their last.
# @timeout 400
# @ref d-language 3 long-clauses
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

limit=$((60 * ${TIMEOUT_SCALE:-1}))

# assign N: statements without an effect that matters, each with a look-up that may fail
assign()
{
	repeat "$1" 'self->pad# = #;' | sed -E 's/pad[0-9]*([0-9])/pad\1/'
}

# printed TEXT: all that was printed, without newlines at the end
printed()
{
	expect_text stdout "$(<out.txt)" "$1"
}

run()
{
	try timeout $limit "$DTRACE" -q "$@"
	expect_status 0
	expect_err ""
}

# ---- statements ----

{ echo 'BEGIN {'; repeat 5000 'self->a# = #;' | sed -E 's/a[0-9]*([0-9]{2}) /a\1 /'
	echo 'printf("%d %d %d\n", self->a00, self->a42, self->a99); exit(0); }'; } >assign.d
run -s assign.d
printed $'4900 4942 4999'

{ echo 'BEGIN {'; repeat 2000 'printf("%d %s\n", # + pid - $pid, "x#");'; echo 'exit(0); }'; } >printf.d
run -s printf.d
expect_text "2,000 printf()s" "$(grep . out.txt | md5sum)" "$(for ((i = 0; i < 2000; i++)); do echo "$i x$i"; done | md5sum)"

{ echo 'int x; BEGIN {'; repeat 600 'for (this->i = 0; this->i < 3; this->i++) x += #;'
	echo 'printf("%d\n", x); exit(0); }'; } >loops.d
run -s loops.d
printed "$((3 * 599 * 600 / 2))"

# every level's branch is taken and its else is not, except that of the innermost
{ echo 'int x, bad, after; BEGIN {'
	for ((i = 0; i < 30; i++)); do echo "if (x == $i) { x++;"; assign 100; done
	echo 'if (x == 0) { bad++;'; assign 400; echo '} else { x *= 2; }'
	for ((i = 0; i < 30; i++)); do echo '} else { bad++;'; assign 60; echo '} after++;'; done
	echo 'printf("%d %d %d %d\n", x, bad, after, self->pad7); exit(0); }'; } >nested.d
run -s nested.d
printed $'60 0 30 97'

{ echo 'self int a; BEGIN /'; repeat 499 'self->a != # + 1 &&'; echo 'self->a == 0/ { printf("true\n"); }'
	echo 'BEGIN /'; repeat 499 'self->a != # &&'; echo 'self->a == 0/ { printf("false\n"); } BEGIN { exit(0); }'; } >predicate.d
run -s predicate.d
printed $'true'

# ---- clauses ----

{ echo 'this int n;'; repeat 1000 'BEGIN { this->n += #; x# = this->n; @sum = sum(#); @["k#"] = count(); self->y = #; }'
	echo 'BEGIN { printf("%d %d %d\n", this->n, x998, self->y); printa("%@d\n", @sum); exit(0); }'; } >clauses.d
run -s clauses.d
expect_text "1,000 clauses" "$(head -2 out.txt)" $'499500 498501 999\n499500'
expect_text keys "$(grep -cE '^ +k[0-9]+ +1$' out.txt)" 1000

# ---- what lives across ----

{ cat <<'EOF'
BEGIN {
	this->i = 7; this->s = strjoin("a", "b"); this->t = timestamp; this->v = vtimestamp; self->id = speculation();
	this->p = alloca(8); *(int *)this->p = 77; this->k = strtok("one,two", ",");
	printf("first "); x = 1;
EOF
	assign 3000
	cat <<'EOF'
	printf("%d %s %d %d ", this->i, this->s, this->t == timestamp, this->v == vtimestamp);
	printf("%d %s %s\n", *(int *)this->p, this->k, strtok(NULL, ","));
}
BEGIN { speculate(self->id); printf("kept\n");
EOF
	assign 2000
	echo '} BEGIN { this->d = speculation(); speculate(this->d); printf("dropped\n");'
	assign 2000
	echo '} BEGIN { commit(self->id); discard(this->d); } tick-50ms { exit(0); }'; } >across.d
for policy in switch fill; do
	run -x nspec=2 -x bufpolicy=$policy -s across.d
	printed $'first 7 ab 1 1 77 one two\nkept'
done

# a fault in the middle: what the clause recorded is discarded, ERROR runs, the next clause runs
{ echo 'int z; BEGIN { printf("never\n"); a = 1;'; assign 3000; echo 'b = 1 / z; c = 1;'; assign 3000
	echo '} ERROR { printf("error %d\n", arg4); } BEGIN { printf("%d %d\n", a, c);'; assign 2000; echo 'exit(3); }'
	repeat 100 'BEGIN { printf("after exit\n"); self->x# = 1; }'; } >fault.d
for policy in switch fill ring; do
	try timeout $limit "$DTRACE" -q -x bufpolicy=$policy -s fault.d
	expect_status 3
	expect_text "faults with $policy" "$(sort out.txt | grep .)" $'1 0\nerror 4'
done

# ---- where there are no tail calls: pieces are functions ----

long=9000
[[ -z ${DTRACE_VM:-} ]] || long=1200

# arguments, variables, records and speculations in ERROR; a fault of its own ends a clause of it
{ echo 'int z, y; BEGIN { this->n = *(int *)8; } ERROR { this->f = arg4; this->s = strjoin("a", "b"); this->t = timestamp;'
	echo 'self->id = speculation(); printf("in ");'
	repeat $long 'if (z == # + 1) y = #;'
	echo 'printf("%d %d %d %s %d %x", arg1, this->f, arg4, this->s, this->t == timestamp, arg5); }'
	echo 'ERROR { speculate(self->id); printf(" kept"); } ERROR { printf(" never"); this->d = 1;'
	repeat $long 'if (z == # + 1) y = #;'
	echo 'this->d = 1 / z; } ERROR { commit(self->id); } ERROR { printf(" %d", y); exit(0); }'; } >error.d
try timeout $limit "$DTRACE" -q -s error.d
expect_status 0
expect_text ERROR "$(tr -d '\n' <out.txt)" 'in 1 1 1 ab 1 8 kept 0'

# a program that waits for pages of user memory
{ echo 'int n, m, k, bad; pid$target:a.out:syscall:entry /!n/ { n++; this->i = 7; this->s = copyinstr(uregs[R_SP], 8);'
	echo 'this->t = timestamp; self->sp = uregs[R_SP]; printf("%s ", probefunc);'
	repeat $long 'if (n == #) m += #;'
	echo 'printf("%d %d %d %d ", this->i, this->t == timestamp, self->sp == uregs[R_SP], m);'
	echo 'printf("%d ", this->s == copyinstr(self->sp, 8)); }'
	echo 'pid$target:a.out:syscall:entry { k++; } pid$target:a.out:syscall:entry /k == 3/ { n = -1;'
	repeat $long 'if (n == #) bad++;'
	echo 'this->u = copyinstr(uregs[R_SP], 8); printf("%d %d ", k, bad); ustack(1); }'
	echo 'pid$target:a.out:syscall:entry /k == 4/ { this->u = copyinstr(uregs[R_SP], 8); printf("never");'
	repeat $long 'if (n == #) bad++;'
	echo 'bad = 1 / (n + 1); } ERROR { printf("error %d", arg4); exit(0); }'; } >pid.d
try timeout $limit "$DTRACE" -q -s pid.d -c "$BUILD/tests/live/triggers/calls getppid 5"
expect_status 0
expect_match pid "$(tr -s ' \n' ' ' <out.txt)" '^syscall 7 1 1 1 1 3 0 [^ ]*`syscall error 4 $'

# ---- hooks ----

# a table of system calls; clauses that are enabled on some of them
{ echo 'int bad; syscall::getppid:entry /pid == $target/ { this->n = 1; n++;'; assign 3000; echo 'this->n++; } '
	echo 'syscall::getppid:entry, syscall::getuid:entry /pid == $target/ {'; assign 2000
	echo '@[probefunc, this->n] = count(); bad += probefunc != "getppid" && probefunc != "getuid"; }'
	echo 'syscall::getuid:entry /pid == $target/ { this->n = 9;'; assign 2000; echo 'bad += this->n != 9; }'
	echo 'syscall::getppid:return /pid == $target/ { bad += arg0 <= 0;'; assign 4000; echo '@r = count(); }'
	echo 'END { printf("%d %d\n", n, bad); }'; } >table.d
run -s table.d -c "$BUILD/tests/live/triggers/calls getppid 5"
expect_match "system calls" "$(tr -s ' \n' ' ' <out.txt)" '^5 0 getppid 2 5 5 $'

{ echo 'int n, x; tick-97 { this->s = execname; n++;'; assign 4000; echo 'x += this->s == execname; }'
	echo 'tick-97 /n >= 10/ { printf("%d\n", n == x); exit(0); }'; } >profile.d
run -s profile.d
printed $'1'

finish
