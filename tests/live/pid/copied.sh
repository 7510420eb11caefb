#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 120
# A process that has moved its own code, and moves more of it while it is traced: under pid* it is left out, by name, and
# goes on as if it were not traced; others that map the file are traced one by one, also those that come. pid123 of it is
# refused by name. -x force traces it nevertheless.
set -u
. "${0%/*}/copied.inc"

mkfifo go

# Start the program: it has moved one page, and waits for a byte to move another.
begin() { # PROGRAM...
	"$@" <go >moved.txt &
	mover=$!
	started+=("$mover")
	exec 4>go
	until_true grep -q moved moved.txt
}

go_on() {
	local status=0
	echo >&4
	exec 4>&-
	wait "$mover" || status=$?
	[[ $status == 0 && $(tail -n1 moved.txt) == "sum 195" ]] || complain "the program: status $status, $(cat moved.txt)"
}

# ---- bystanders ----

# A library that three processes map; one of them moves its code.
sed 's/^int main(void)/int run(void);\nint run(void)/' "$src/mover.c" >lib.c
cat >user.c <<'END'
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *lib = dlopen("./libmover.so", RTLD_NOW);
	int (*run)(void) = lib ? (int (*)(void))dlsym(lib, "run") : 0;
	int (*stays)(int) = lib ? (int (*)(int))dlsym(lib, "stays") : 0;
	char c;

	if (!run || !stays)
		return 1;
	if (argc > 1 && !strcmp(argv[1], "run"))
		return run();
	if (read(0, &c, 1) != 1)
		return 1;
	for (int i = 0; i < 10; i++)
		stays(i);
	return 0;
}
END
gcc -O2 -shared -fPIC -o libmover.so lib.c && gcc -O2 -o user user.c || complain "does not build"

user() { # FIFO: one that maps the library and waits
	mkfifo "$1"
	./user <"$1" &
	user=$!
	started+=("$user")
}
call() { # PID
	echo >&"$2"
	wait "$1" || complain "a user of the library ended with $?"
}

user before; before=$user
exec 5>before
maps "$before" libmover
begin ./user run
trace -n 'pid*:libmover.so::entry { @[pid] = count(); } END { printa("%d %@d\n", @); }'
user after; after=$user
exec 6>after
# it is counted as one that came before its probes
until_true grep -q 'ran before' trace.err
call "$before" 5
call "$after" 6
go_on
end_trace
what="bystanders"
expect_text "firings" "$(traced)" "$(printf '%s 10\n' "$before" "$after" | sort)"
expect_text messages "$(grep -v ' ran before' trace.err)" \
	"dtrace: process $mover (user) has moved its code to other memory: it is not traced, and the others are attached to one by one"

# ---- by name ----

cp "$here/mover" mover
begin ./mover
for d in "pid$mover:mover:stays:entry" "pid$mover:a.out::entry" "pid$mover::stays:entry"; do
	try "$DTRACE" -qn "$d"
	expect_status 1
	expect_match stderr "$err" "process $mover \(mover\) has moved its code to other memory: a probe in mover would end it \(-x force"
done
# what it does not copy is traced, and with -x force the page that stays where it is
trace -n 'pid$target:libc.so.6:puts:entry { }' -p "$mover"
end_trace
trace -x force -n 'pid$target:mover:stays:entry { @ = count(); } END { printa("%@d\n", @); }' -p "$mover"
go_on
wait $tracer || complain "dtrace ended with $?: $(cat trace.err)"
what="force"
expect_text "firings" "$(traced)" 10
expect_text messages "$(cat trace.err)" ""

finish
