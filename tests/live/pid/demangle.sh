#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions of C++ have the names of their source: in lists, probefunc, keys, -F and stacks; patterns and comparisons
# accept either name; -x demangle=off restores those of the file.
# @needs g++
# @timeout 60
# @vm no: the compiler takes long there
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

cat >p.cc <<'END'
#include <unistd.h>
namespace shop {
template <class... T> struct basket {};
using large = basket<basket<int, long, char, short>, basket<unsigned, float, double>>;
__attribute__((noinline)) int add(int x) { return getpid() + x; }
__attribute__((noinline)) int add(int x, const char *s) { return getppid() + x + s[0]; }
__attribute__((noinline)) int fill(large *a, large *b, int x) { return getpid() + x + (a == b); }
struct cart {
	int n;
	__attribute__((noinline)) int operator[](int i) { return n + i + getpid(); }
};
}
extern "C" __attribute__((noinline)) int plain(int x) { return x + getpid(); }
int main()
{
	shop::cart c = {1};
	int n = shop::add(1, "x") + c[2] + plain(3) + shop::fill(0, 0, 1);

	for (int i = 0; i < 3; i++)
		n += shop::add(i);
	return n == 0;
}
END
g++ -O1 -o p p.cc || exit
run() { # ARGUMENTS...
	try "$DTRACE" "$@" -c ./p
	expect_status 0
}
names() { # PATTERN: the functions that -l shows for it
	run "${options[@]}" -ln "pid\$target:p:$1:entry"
	sed 1d out.txt | sed -E 's/^ *[0-9]+ +pid[0-9]+ +p +//; s/ entry$//' | sort
}

options=()
expect_text "a pattern of source names" "$(names '*shop*add*')" 'shop::add(int)
shop::add(int, char const*)'
expect_text "a pattern of one" "$(names 'shop??add?int?')" 'shop::add(int)'
expect_text "a mangled name" "$(names _ZN4shop3addEi)" 'shop::add(int)'
expect_text "a mangled pattern" "$(names '_ZN4shop3add*')" 'shop::add(int)
shop::add(int, char const*)'
expect_text "a name as the source has it" "$(names 'shop::add(int)')" 'shop::add(int)'
expect_text "blanks do not count" "$(names 'shop::add(int,char const*)')" 'shop::add(int, char const*)'
expect_text "types of templates" "$(names 'shop::fill(*basket<*, double>*)' | cut -c1-11)" 'shop::fill('
expect_text "an operator as the source has it" "$(names 'shop::cart::operator[](int)')" 'shop::cart::operator[](int)'
expect_text "an operator" "$(names '*cart*operator*')" 'shop::cart::operator[](int)'
expect_text "a name of C" "$(names plain)" plain
options=(-x demangle=off)
expect_text "a pattern, off" "$(names '*shop*add*')" '_ZN4shop3addEi
_ZN4shop3addEiPKc'
expect_text "a pattern of source names, off" "$(names 'shop*')" ''
printf '#pragma D option demangle=off\npid$target:p:*shop*add*:entry { @[probefunc] = count(); }\n#pragma D option quiet\n' >pragma.d
run -qs pragma.d
expect_match "pragma" "$out" $'  _ZN4shop3addEiPKc +1\n  _ZN4shop3addEi +3\n'

all='pid$target:p:*shop*:entry,pid$target:p:plain:entry'
options=()
long=$(names '*fill*')
[[ ${#long} -gt 127 && $long == *int\) ]] || complain "not a long name: $long"
cat >names.d <<D
$all { @calls[probefunc] = count(); }
$all /probefunc == "shop::add(int)"/ { @["plain =="] = count(); }
$all /probefunc == "_ZN4shop3addEi"/ { @["mangled =="] = count(); }
$all /"_ZN4shop3addEi" != probefunc/ { @["mangled !="] = count(); }
$all /probefunc == "_ZN4shop3addEi" || probefunc == "plain"/ { @["two"] = count(); }
$all /probefunc == "$long"/ { @["long"] = count(); }
$all /strstr(probefunc, "cart") != NULL/ { @["strstr"] = count(); printf("%s|%s\n", probefunc, strjoin(probefunc, "!")); }
pid\$target:p:_ZN4shop4cart*:entry { ustack(1); }
END { printa("%@d %s\n", @); printa("%@d %s\n", @calls); }
D
run -qs names.d
expect_text "names" "$(<out.txt)" "shop::cart::operator[](int)|shop::cart::operator[](int)!

              p\`shop::cart::operator[](int)
1 long
1 strstr
3 mangled ==
3 plain ==
4 mangled !=
4 two
1 plain
1 shop::add(int, char const*)
1 shop::cart::operator[](int)
1 $long
3 shop::add(int)"
sed 's/probefunc == "shop::add(int)"/probefunc == "_ZN4shop3addEi"/' names.d >raw.d
run -x demangle=off -qs raw.d
expect_match "names, off" "$out" $'\n3 mangled ==\n3 plain ==\n'
expect_match "stacks, off" "$out" 'p`_ZN4shop4cartixEi'

run -qFn 'pid$target:p:_ZN4shop3addEiPKc:entry,pid$target:p:_ZN4shop3addEiPKc:return'
expect_match "-F" "$out" $'-> shop::add\\(int, char const\\*\\) *.*<- shop::add\\(int, char const\\*\\)'
run -q --output=json:out.json -n 'pid$target:p:_ZN4shop3addEiPKc:entry { trace(1); }'
grep -q '"shop::add(int, char const\*)"' out.json || complain "JSON: $(<out.json)"
finish
