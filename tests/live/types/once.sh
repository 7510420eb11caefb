#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Subscripts with an effect are evaluated once each, wherever an element is used.
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

# # stands for this->i++
forms=(
	'print(o[#])' 'print(p[#])' 'print(s[#])' 'print(n[#])' 'print(d[#].arr)' 'print(d[#])' 'print(*o[#])' 'print(q[#])'
	'print(this->i ? o[0] : o[#])' 'print(o[#] = o[1])' 'print(p[#] = p[1])'
	'trace(o[#]->a)' 'trace(p[#])' 'trace(s[#])' 'trace(d[#].arr)' 'trace(d[#].c)' 'tracemem(q[#], 4)' 'tracemem(q[0], 4, n[#])'
	'trace(*q[#])' 'printf("%s", s[#])' 'printf("%d", p[#].a)' 'printf("%d", o[#]->b)' 'printf("%x", d[#].arr[1])'
	'@A = sum(n[#])' '@B[s[#]] = count()' '@C[p[#]] = count()' '@D[o[#]->a] = count()' '@E = quantize(n[#])'
	'@F = lquantize(n[#], 0, 10, 1)' '@G = llquantize(n[#], 10, 0, 3, 10)' '@H = avg(n[#])' '@K[d[#].in] = count()'
	'@L = quantize(1, n[#])' '@M[#, #] = count()' '@N[p[#] = p[1]] = count()'
	'x1 = o[#] == NULL' 'x2 = o[#] != NULL ? 1 : 0' 'x3 = !o[#]' 'x4 = s[#] == "a"' 'x5 = s[#] == NULL' 'x6 = strlen(s[#])'
	'x7 = s[#] + 1' 'x8 = strjoin(s[#], "x")' 'x9 = substr(s[#], 1)' 'x10 = strtok(s[#], ",")' 'x11 = s[#][0]'
	'x12 = index(s[#], "b")' 'x13 = stringof(d[#].c)' 'x14 = basename(s[#])' 'x15 = (s[#] = s[1])' 'x16 = strlen(s[#] = s[1])'
	'x17 = (o[#] = o[1]) == NULL' 'x18 = (o[#] = o[1])->a' 'x19 = (p[#] = p[1]).a'
	'x20 = (o[h(#)] = o[1])->a' 'x21 = (p[h(#)] = p[1]).a' '@P[p[h(#)] = p[1], h(#)] = count()' 'print(o[h(#)])'
	'x22 = (o[h(#)] = o[h(#)] = o[1])->a' 'x23 = (q[#] = q[1]) == NULL' 'x24 = *(q[#] = q[1])' 'x25 = (n[#] = n[1]) + 1'
	'n[#] += 2' 'n[#]++' '--n[#]' 'p[#].a = 5' 'p[#].a += 5' 'p[#].a++' 's[#][0] = 99' 'd[#].arr[1] = 3' 'd[#].arr[1]++'
	'd[#].in = one' 'd[#].in.a |= 4' 'd[0].arr[#] = 4' 'd[0].arr[#] += 4' 'd[0].arr[#]++' 'd[0].c[#] = 65' 'm[#][#] = m[#][1]'
	'*(int *)(r[#] = alloca(8)) = 3' 'o[#] = o[1]' 'y1 = *o[#]' 'y2 = p[#]' 'y3 = p[#] = p[#]' 'n[#] = n[#]' 'p[#] = p[1]'
	's[#] = s[1]' 'self->e[#] = 3' 'self->p = p[#]' 'self->s = s[#]' 'self->o = o[#]' 'this->o2 = o[#]' 'v1[#, #] = 3' 'v2[s[#]] = 3'
	'v3[p[#]] = 1' 'v4 = g(n[#])' 'v5 = g(n[#] = 2)'
	'z1 = n[#] ? n[0] : n[1]' 'z2 = n[#] && n[0]' 'z3 = n[#] ^^ n[0]' 'z4 = (n[#], 3)' 'z5 = n[#] / 2' 'z6 = -n[#]' 'z7 = (char)n[#]'
	'z8 = s[#] < s[0]' 'z9 = s[#] != s[0] ? s[0] : s[1]' 'z10 = ntohl(n[#])' 'z11 = lltostr(n[#])'
	's[#] = 0' 'n[#] = 0' 'p[#] = 0' 'o[#] = NULL' # what comes last deletes
)
{
	cat <<-'EOF'
	struct pair { int a; int b; };
	struct deep { struct pair in; int arr[4]; char c[8]; };
	struct pair p[int], one, y1, y2, y3, x;
	struct deep d[int], d1;
	string s[int];
	int n[int], m[4][4], *q[int], *r[int];
	translator struct pair < int n > { a = n; b = n + 1; };
	int g(int x) { return x + x; }
	int h(int x) { calls++; return x & 1; }
	BEGIN
	{
		one.a = 1; p[0] = one; p[1] = one; s[0] = "a,b"; s[1] = "b"; n[0] = 3; n[1] = 4;
		o[0] = xlate <struct pair *>(7); o[1] = xlate <struct pair *>(8);
		d1.in = one; d[0] = d1; d[1] = d1; q[0] = (int *)curthread; q[1] = (int *)curthread;
	}
	EOF
	for form in "${forms[@]}"; do
		want=${form//[^#]/}
		echo "BEGIN { this->i = 0; ${form//#/this->i++}; }"
		echo "BEGIN /this->i != ${#want}/ { printf(\"\\nNOT ONCE: %d times of ${#want}: %S\\n\", this->i, \"${form//\"/\\\"}\"); }"
	done
	echo 'BEGIN { printf("\nall were run\n"); exit(0); }'
} > once.d
try "$DTRACE" -q -s once.d
expect_status 0
expect_err ""
expect_text "evaluated more or less often" "$(grep -a 'NOT ONCE' out.txt)" ""
expect_text "the end" "$(grep -ac 'all were run' out.txt)" 1
finish
