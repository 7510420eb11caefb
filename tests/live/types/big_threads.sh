#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Big thread-local variables: an array of 16 KB, a struct of 10 KB, copied whole, at first and last elements.
# @ref d-language 8.2 self-c-array
# @ref d-language 11.4 whole-copy member-stores
cat >big.d <<'D'
#pragma D option quiet
self int s[4000];
struct big {
	char text[10240];
	int last;
};
struct big g, h;
self struct big mine;
BEGIN
{
	k = 3999;
	self->s[k] = 11;
	self->s[0] = 12;
	printf("%d %d %d %d\n", self->s[3999], self->s[0], self->s[k - 1], sizeof(self->s));
	n = 10239;
	g.text[0] = 'a';
	g.text[n] = 'z';
	g.last = 13;
	self->mine = g;
	g.text[n] = 'y';
	printf("%c %c %d\n", self->mine.text[0], self->mine.text[n], self->mine.last);
	h = self->mine;
	h.last++;
	printf("%d %c\n", h.last, h.text[n]);
	exit(0);
}
D
if ! "$DTRACE" -s big.d >out 2>err; then
	! grep -qE 'variable (s|mine) needs 1[0-9]* bytes, the kernel allows 8000' err ||
		{ echo "skip: this kernel stores at most 8000 bytes for a thread"; exit 77; }
	cat err
	exit 1
fi
printf '11 12 0 16000\na z 13\n14 z\n\n' | diff - out
