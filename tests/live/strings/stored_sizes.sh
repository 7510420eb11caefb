#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Characters are assigned at indexes that are known only at run time, whatever strsize is: the last place is written, the
# next is a fault.
# @timeout 60
# @ref d-language 10.3 store
set -u

cat >s.d <<'D'
string g;
self string own;
string element[int];
BEGIN
{
	i = $1 - 1;
	g = self->own = element[1] = this->s = "";
	g[i] = self->own[i] = element[i - i + 1][i] = this->s[i] = 'z';
	g[i - 1]++;
	for (this->k = 0; this->k < 2; this->k++)
		this->s[this->k] = 'a' + this->k;
	printf("%c%c%c%c %d %.2s\n", g[i], self->own[i], element[1][i], this->s[i], g[i - 1], this->s);
}
BEGIN { i++; g[i] = 1; }
BEGIN { self->own[i] = 1; }
BEGIN { element[1][i] = 1; }
BEGIN { this->s = ""; this->s[i] = 1; }
BEGIN { exit(0); }
ERROR { printf("%d %d\n", arg4, arg5); }
D
largest=16384
# Linux 7.2 stores no more for a thread
! "$DTRACE" -q -x strsize=$largest -s s.d $largest 2>&1 | grep -q 'variable own needs 16400 bytes, the kernel allows 8000' || largest=7000
for n in 5 17 100 255 256 257 1000 $largest; do
	"$DTRACE" -q -x strsize=$n -s s.d $n >out 2>err || { cat err; exit 1; }
	{ echo "zzzz 1 ab"; for _ in 1 2 3 4; do echo "11 $n"; done; } | diff - <(grep . out) || { echo "strsize $n"; exit 1; }
done
