#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Methods of C++ classes: `this`, members of base classes, references, objects passed by address;
# debug information in a file beside the program.
# @ref providers 15
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v g++ >/dev/null || { echo "needs g++"; exit 77; }
cd "$TMPDIR" || exit 1
cat >t.cc <<'END'
namespace store {
struct base {
	int id;
	virtual ~base() {}
};
struct item {
	long key;
	item *next;
};
class table : public base {
public:
	item first;
	explicit table(int n);
	long find(const item &wanted, int limit);
};
table::table(int n)
{
	id = n;
	first.key = 11;
	first.next = &first;
}
__attribute__((noipa)) long table::find(const item &wanted, int limit)
{
	return wanted.key + limit;
}
}
int main()
{
	store::table t(7);
	store::item i = {42, nullptr};
	return t.find(i, 5) != 47;
}
END
g++ -g -O1 -o t t.cc && objcopy --only-keep-debug t t.debug && strip --strip-debug t &&
	objcopy --add-gnu-debuglink=t.debug t || exit 1
"$DTRACE" -q -n 'pid$target:a.out:_ZN5store5table4findERKNS_4itemEi:entry {
	printf("%d %d %d %d %d\n", args[0]->id, args[0]->first.key, args[0]->first.next->key, args[1]->key, args[2]);
	print(*args[1]);
}' -c ./t
