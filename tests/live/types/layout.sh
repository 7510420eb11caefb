#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sizes, offsets and bytes of structs, unions and bit-fields are the C compiler's: one text of declarations and stores is
# given to both, and both print the same.
# @vm no: the compiler alone, beside the one of C
# @ref d-language 7.5 layout assignment; d-language 11.4 member-stores nested-members; d-language 12 types offsetof
# @ref d-language 6.1 integer-types any-order
# @timeout 60
set -u
types=(
	'{ int a:3; int b:4; unsigned c:5; int d:20; int e; }'
	'{ char a; short b; char c; int d; char e; long f; char g; }'
	'{ char a:3; char b:6; short c:9; int :0; int d:1; unsigned long e:40; unsigned long f:30; long g:34; }'
	'{ int :3; int b:2; int :0; char c; }'
	'{ char a; int b:4; char c; int d:28; long e:1; }'
	'{ unsigned long a:63; unsigned b:1; unsigned char c:1; unsigned short d:15; }'
	'{ char a[3]; struct { short x; char y[5]; } in[2]; union { int i; char c[6]; } un; struct s6 *p; enum { Q } q; }'
	'{ union { struct { short lo; short hi; } h; int i:17; unsigned char c[4]; } un; char last; }'
	'{ long long unsigned a; int short b; int long signed c; unsigned d; signed char e[3][2]; char *names[2]; }'
	'{ int a:32; unsigned b:32; long c:64; char d:8; short e:16; }'
	'{ long a:1; char b; long c:47; int d:17; char e:1; }'
)
stores=(
	's.a = -1; s.b = 7; s.c = 21; s.d = -5; s.e = 9; s.a = 2; s.b--; s.c += 3; s.d <<= 1;'
	's.a = 1; s.b = -2; s.c = 3; s.d = -4; s.e = 5; s.f = -6; s.g = 7; s.f++; s.b -= 3;'
	's.a = -4; s.b = 31; s.c = -256; s.d = -1; s.e = 0xfedcba9876; s.f = 0x3fffffff; s.g = -1; s.f &= 0x15555555; s.g = -3;'
	's.b = 1; s.c = -1;'
	's.a = 1; s.b = -8; s.c = 2; s.d = 0x7654321; s.e = -1; s.b++; s.d ^= 0xff;'
	's.a = 0x7123456789abcdef; s.b = 1; s.c = 1; s.d = 0x7abc; s.a >>= 4;'
	's.a[2] = 1; s.in[0].x = 2; s.in[1].x = -3; s.in[1].y[4] = 4; s.un.i = 0x01020304; s.un.c[1] = 9; s.q = Q; s.in[1].y[4] += 5;'
	's.un.h.hi = 0x1234; s.un.c[0] = 0xfe; s.un.i = -2; s.last = 5;'
	's.a = -1; s.b = 40000; s.c = 1; s.d = 0xffffffff; s.e[2][1] = -7; s.e[1][0] = 3; s.a -= 1; s.names[1] = 0;'
	's.a = -1; s.b = 0xffffffff; s.c = -2; s.d = 127; s.e = -32768;'
	's.a = -1; s.b = 1; s.c = 0x123456789abc; s.d = -2; s.e = -1; s.c /= 3;'
)
offsets=('e' 'b c d e f g' '' 'c' 'a c' '' 'in un p q' 'un last' 'b c d e names' '' 'b')

{
	echo '#include <stddef.h>'
	echo '#include <stdio.h>'
} >both.c
echo '#pragma D option quiet' >both.d
body_c='' body_d=''
for i in "${!types[@]}"; do
	for f in both.c both.d; do
		printf 'struct s%d %s;\nunion u%d { struct s%d s; unsigned char bytes[sizeof(struct s%d)]; };\nunion u%d v%d;\n' \
			"$i" "${types[i]}" "$i" "$i" "$i" "$i" "$i" >>$f
	done
	text=${stores[i]//s./v$i.s.}
	n=$(printf '#include <stdio.h>\nstruct s%d %s;\nint main(void) { printf("%%zu", sizeof(struct s%d)); }\n' \
		"$i" "${types[i]}" "$i" >size.c && cc -w -o size size.c && ./size) || exit 1
	print="printf(\"s$i %d:\", (int)sizeof(struct s$i));"
	for m in ${offsets[i]}; do
		print+=" printf(\" .$m %d\", (int)offsetof(struct s$i, $m));"
	done
	for ((b = 0; b < n; b++)); do
		print+=" printf(\" %d\", v$i.bytes[$b]);"
	done
	print+=' printf("\n");'
	body_c+="$text $print"$'\n'
	body_d+="BEGIN { $text }"$'\n'"BEGIN { $print }"$'\n'
done
printf 'int main(void)\n{\n%sreturn 0;\n}\n' "$body_c" >>both.c
printf '%sBEGIN { exit(0); }\n' "$body_d" >>both.d
cc -w -o both both.c && ./both >expected || exit 1
[[ $(wc -l <expected) == "${#types[@]}" ]] || exit 1
"$DTRACE" -s both.d >got 2>err || { cat err; exit 1; }
sed -i '/^$/d' got
diff expected got
