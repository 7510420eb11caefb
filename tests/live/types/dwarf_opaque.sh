#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A struct that the function's source only declares has its body in another file of the program; a
# typedef of it has its size all the same.
# @ref providers 15
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
cd "$TMPDIR" || exit 1
cat >a.c <<'END'
typedef struct thing thing_t;
struct wrap {
	const thing_t *first;
	thing_t *both[2];
};
thing_t *get(void);
__attribute__((noipa)) int use(thing_t *t, struct wrap *w)
{
	return t == w->first;
}
int main(void)
{
	struct wrap w = {get(), {get(), 0}};
	return !use(get(), &w);
}
END
cat >b.c <<'END'
struct thing {
	int id;
	long more[2];
	char name[8];
};
struct thing *get(void)
{
	static struct thing one = {5, {6, 7}, "seven"};
	return &one;
}
END
cc -g -O1 -o t a.c b.c || exit 1
"$DTRACE" -q -n 'pid$target:a.out:use:entry {
	printf("%d %d %s %d\n", args[0]->id, args[1]->first->more[1], stringof(args[1]->both[0]->name), sizeof(*args[0]));
	print(*args[0]);
	print(*args[1]->first);
	this->copy = *args[0];
	printf("%d\n", this->copy.id);
}' -c ./t
