#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# %q makes any text one word of the shell; system() warns where traced text goes into a command without it, and only there.
set -u
bad=0
complain() { echo "$1"; bad=1; }

# a process whose name is a command
cat >named.py <<'END'
import ctypes, os, random, sys
prctl = ctypes.CDLL(None).prctl
random.seed(int(sys.argv[1]))
prctl(15, b"'; touch run #", 0, 0, 0)  # PR_SET_NAME
os.getppid()
with open("names", "wb") as names:
    for i in range(100):
        name = bytes(random.choice(b"'\"\\$`;&|<>()*? \t!#~=%[]{}a-\n\x01\x7f\xff") for _ in range(random.randrange(0, 16)))
        prctl(15, name, 0, 0, 0)
        names.write(name + b"\0")
        os.getppid()
END
"$DTRACE" -wqn 'syscall::getppid:entry /pid == $target && !n++/ { system("echo %q", threadname); exit(0); }' -c '/usr/bin/python3 named.py 1' >out 2>err
[[ $(<out) == "'; touch run #" && ! -s err ]] || complain "$(<out) $(<err)"
[[ ! -e run ]] || complain "the name was run"
# whatever bytes; a file, as the shell's own variables have no NUL
"$DTRACE" -wqn 'syscall::getppid:entry /pid == $target && n++/ { system("printf %%s\\\\0 %q >>got", threadname); }' -c "/usr/bin/python3 named.py $RANDOM" >out 2>err
cmp -s names got || complain "$(cmp names got 2>&1; tail -n 3 err)"
[[ $(tr -cd '\0' <names | wc -c) == 100 ]] || complain "names"

# a word that begins with - is an option, unless -- is before it, as docs/SECURITY.md says; a newline is a part of the word
cat >dash.py <<'END'
import ctypes, os
for name in (b"-rf\ntouch run", b"--help"):
    ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
    os.getppid()
END
mkdir dash
(cd dash && "$DTRACE" -wqn 'syscall::getppid:entry /pid == $target && threadname != "python3"/ { system("touch -- %q", threadname); }' -c "/usr/bin/python3 ../dash.py" >../out 2>../err)
[[ $(cd dash && printf '%q ' *) == '--help $'"'"'-rf\ntouch run'"'"' ' ]] || complain "leading dashes: $(ls -b dash) $(<out) $(<err)"

# in printf(): width and precision are those of the text
out=$("$DTRACE" -qn 'BEGIN { printf("%q %q %6q|%-6q|%.2q\n", "", "it'"'"'s", "a", "b", "'"''''"'x"); exit(0); }' 2>&1)
[[ $out == "'' 'it'\\''s'    'a'|'b'   |''\\'''\\'''" ]] || complain "$out"
out=$("$DTRACE" -qn 'BEGIN { @["a b"] = count(); printa("%q %@d\n", @); exit(0); }' 2>&1)
[[ $out == "'a b' 1"* ]] || complain "$out"

# warns N PROGRAM [ARGUMENT]: N warnings
warns() {
	"$DTRACE" -wqn "$2" ${3:+"$3"} >out 2>err || complain "$2: status $?"
	[[ $(grep -c 'warning: in action list: system( ) argument #2 is text that was traced, and the shell runs commands in it: quote it with %q instead of %s' err) == "$1" ]] ||
		complain "$2: $(<err)"
}
warns 1 'BEGIN { system("echo %s", execname); exit(0); }'
warns 1 'BEGIN, END { system("echo %s", execname); exit(0); }'
warns 1 'BEGIN { system("echo %s", arg0 ? "a" : execname); exit(0); }'
warns 1 'BEGIN { s = execname; system("echo %s", s); exit(0); }'
# once, though there are several
warns 1 'BEGIN { system("echo %s", execname); system("echo %s", execname); } END { system("echo %s %s", execname, probename); } BEGIN { exit(0); }'
warns 0 'BEGIN { system("echo %q", execname); exit(0); }'
warns 0 'BEGIN { system("echo %s %d", "a", pid); exit(0); }'
warns 0 'BEGIN { system("echo %s", $$1); exit(0); }' word
warns 0 'BEGIN { system("echo %s", lltostr(pid)); exit(0); }'
warns 0 'inline string who = "a"; BEGIN { system("echo %s", who); exit(0); }'
warns 0 'BEGIN { printf("echo %s", execname); exit(0); }'
exit $bad
