#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# print() of a std::string shows its text: in itself and elsewhere, empty, with a NUL, longer than strsize, as member, element and view;
# the members of one that has no value yet, or of all with rawbytes; JSON has a string.
# @ref providers 15
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v g++ >/dev/null || { echo "needs g++"; exit 77; }
cd "$TMPDIR" || exit 1
cat >t.cc <<'END_OF_SOURCE'
#include <string>
#include <string_view>
struct order {
	int id;
	std::string who, items[2];
	std::string_view part;
	const std::string *link;
};
extern "C" __attribute__((noipa)) void take(const std::string &, order *, const std::string *) {}
extern "C" __attribute__((noipa)) void lost(const std::string *) {}
int main()
{
	std::string big(300, 'x'), nul("a\0b\xff", 4), none;
	order o = {7, "a rather long name of a customer", {"one", "\n\"q\""}, "view of it", nullptr};
	unsigned long bad[4] = {8, 5, 0, 0};

	o.part.remove_suffix(3);
	take(nul, &o, &none);
	take(big, &o, &none);
	lost((std::string *)bad);
}
END_OF_SOURCE
g++ -std=c++17 -g -O1 -o t t.cc || exit 1
probe='pid$target:a.out:take:entry'
echo all:
"$DTRACE" -q -n "$probe { print(*args[0]); print(*args[1]); print(*args[2]); }" -c ./t
echo strsize:
"$DTRACE" -q -x strsize=9 -n "$probe { print(*args[0]); print(args[1]->who); print(args[1]->part); }" -c ./t
echo in a variable:
"$DTRACE" -q -n "$probe { this->o = *args[1]; print(this->o.items); }" -c ./t
echo cannot be read:
"$DTRACE" -q -n 'pid$target:a.out:lost:entry { print(*args[0]); }' -c ./t | grep -o 'pointer)0x8\|size_type)5\|fault'
echo rawbytes:
"$DTRACE" -q -x rawbytes -n "$probe { print(*args[0]); }" -c ./t | grep -c '_M_p = '
echo JSON:
"$DTRACE" -q -x strsize=4 --output=json -n "$probe { print(args[1]->part); }" -c ./t | grep -o '"kind":"string","type":"std[^}]*}'
