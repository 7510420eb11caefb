#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# strsize: every string holds that many characters and no more, whatever it came from and wherever it is kept; sizeof is
# strsize; copyinstr() gives one less. From 2 to 16384, or what a thread can have.
# @timeout 90
# @ref options 5.5
# @ref d-language 10.1 strsize-characters truncated
# @ref d-builtins 3.2 strlen strjoin
# @ref d-builtins 3.1 copyinstr-default copyinstr-max
# @ref options 3 strsize; options 5.5 sizeof truncation copyinstr

printf '#include <unistd.h>
#include <sys/syscall.h>
static char text[20000];
int main(void)
{
	for (int i = 0; i < (int)sizeof(text) - 1; i++)
		text[i] = (char)(%s + i %% 26);
	syscall(SYS_getppid, text);
}
' "'a'" >text.c
cc -static -o text text.c || exit 1

text=$(awk 'BEGIN { for (i = 0; i < 19999; i++) printf "%c", 97 + i % 26 }')
largest=16384
# Linux 7.2 stores no more for a thread
! "$DTRACE" -q -x strsize=$largest -n 'self string own; BEGIN { self->own = probefunc; exit(0); }' 2>&1 |
	grep -q 'variable own needs 16400 bytes, the kernel allows 8000' || largest=7000
for n in 2 3 8 64 255 256 1024 4096 $largest; do
	cat >s.d <<-'E'
	string declared;
	string element[string];
	self string own;

	syscall::getppid:entry
	/pid == $target/
	{
		this->in = copyinstr(arg0);
		s = strjoin(this->in, this->in);
		declared = s;
		self->own = s;
		element[s] = s;
		this->s = s;
		printf("sizes %d %d %d %d\n", sizeof(string), sizeof(s), sizeof(declared), sizeof(strjoin(s, s)));
		printf("lengths %d %d: %d %d %d %d %d\n", strlen(this->in), strlen(copyinstr(arg0, 100000)), strlen(s),
			strlen(declared), strlen(self->own), strlen(element[s]), strlen(this->s));
		printf("same %d%d%d%d\n", s == declared, s == self->own, element[s] == this->s, strjoin(s, "x") == s);
		printf("last %c %c %d\n", s[$1 - 2] == this->in[$1 - 2] ? 'y' : 'n', s[$1 - 1] == 'a' ? 'y' : 'n', s[$1]);
		printf("results %d %d %d %d %d %d\n", strlen(substr(s, 1)), strlen(basename(s)), strlen(cleanpath(s)),
			strlen(strtok(s, "/")), strlen(strstr(s, "b")), strlen(strrchr(s, 'a')));
		printf("places %d %d %d\n", index(s, "a", 1), rindex(s, "a"), index(strjoin(s, "/"), "/"));
		printf("[%s]\n", s);
		printf("[%s]\n", strjoin(substr(s, 1), "/"));
		trace(s);
		printf("\n");
		@[s, strjoin(s, "y")] = count();
		self->own = 0;
	}

	END
	{
		printa("[%s][%s] %@d\n", @);
		printf("a literal %s\n", "abcdefghijkl");
	}
	E
	"$DTRACE" -q -x strsize=$n -c ./text -s s.d $n >out 2>&1 || { echo "strsize $n:"; cat out; exit 1; }

	in=${text:0:n-1} s=$in$in s=${s:0:n} cut=${s:1}/ cut=${cut:0:n}
	# "aa" has no b: the clause ends with a fault
	if [[ $s != *b* ]]; then
		grep -q "invalid address (0x0)" out && grep -qx "a literal ab" out || { echo "strsize $n:"; cat out; exit 1; }
		continue
	fi
	from_b=b${s#*b} last=${s%a*} second=${s:1} second=${second%%a*}
	at=$((${#second} + 1))
	((at < n)) || at=-1
	literal=abcdefghijkl
	cat >want <<-E
	sizes $n $n $n $n
	lengths $((n - 1)) $((n - 1)): $n $n $n $n $n
	same 1111
	last y y 0
	results $((n - 1)) $n $n $n ${#from_b} $((n - ${#last}))
	places $at ${#last} -1
	[$s]
	[$cut]
	$s
	[$s][$s] 1
	a literal ${literal:0:n}

	E
	diff want out >diff || { echo "strsize $n: expected, got"; cut -c 1-200 diff; exit 1; }
done

# What is no size of a string.
for n in 0 1 -1 -256 1x abc ""; do
	out=$("$DTRACE" -q -x strsize=$n -n 'BEGIN { exit(0); }' 2>&1) && { echo "strsize=$n was taken"; exit 1; }
	[[ $out == "dtrace: failed to set -x strsize: Invalid value for specified option" ]] || { echo "$n: $out"; exit 1; }
done

# A pragma sets it for the whole session; the last one holds.
out=$("$DTRACE" -q -x strsize=100 -n '#pragma D option strsize=5
BEGIN { printf("%d [%s]", sizeof(string), strjoin("abc", "def")); exit(0); }')
[[ $out == "5 [abcde]" ]] || { echo "pragma: $out"; exit 1; }
out=$(DTRACE_OPT_STRSIZE=7 "$DTRACE" -qn 'BEGIN { printf("%d [%s]", sizeof(string), strjoin("abcde", "fghi")); exit(0); }')
[[ $out == "7 [abcdefg]" ]] || { echo "environment: $out"; exit 1; }
out=$("$DTRACE" -q -x strsize=1k -n 'BEGIN { printf("%d", sizeof(string)); exit(0); }')
[[ $out == 1024 ]] || { echo "1k: $out"; exit 1; }
