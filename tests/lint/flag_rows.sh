#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# src/abi/flag_rows, which takes names of numbers from headers: with headers of its own, whose rows are known.
set -u
status=0
cd "$TMPDIR" || exit 1

complain() {
	status=1
	printf '%s\n' "$*"
}

mkdir -p own
cat >own/names.h <<'END'
/* what headers have: #define NOT_IN_A_COMMENT 1 */
#define OPT_NONE	0
#define OPT_FIRST	0x1	/* of others */
#define OPT_SECOND	(1 << 1)
#define OPT_BOTH	(OPT_FIRST | OPT_SECOND)
#define OPT_ALIAS	OPT_SECOND
#define OPT_TOP		(1U << 31)
#define OPT_MASK	0xff
#define OPT_CALL(x)	(x)
#define OPT_EMPTY
#define OPT_POINTER	((void (*)(void))0)
#define OPT_STRANGER	no_such_thing
#define KIND_MINUS	-2
#define WIDE_FIRST	0x100000000ULL
#define WIDE_NEXT	0x100000001ULL
enum { FREE_ONE = 7, FREE_TWO };
enum kind { KIND_A, KIND_B = KIND_A + 5, KIND_C,
	    __KIND_MAX
};
typedef enum
{
	LATER_A = sizeof(int) /* 4 */
} later;
enum kind which(enum kind k);
END
cat >sets <<'END'
# a comment
set opt 32 HEX options, all of them
in own/names.h
value OPT_NONE
flag !OPT_MASK OPT_*

set low 32 DEC a field
in own/names.h
field OPT_MASK OPT_FIRST OPT_SECOND:SECOND OPT_NEWER=3 OPT_TOP
texts 9 "nine" "ten, or more"

set kind 32 DEC an enum
in own/names.h
value @kind !__* KIND_MINUS KIND_B=5

set wide 64 HEX many bits
in own/names.h
value WIDE_* FREE_ONE FREE_TWO LATER_*

set none 32 HEX a header that is not there
in? own/missing.h
value GONE_*
END
cat >want <<'END'
NAMES(opt, 32, HEX, "options, all of them")
ROW(opt_OPT_NONE, ~0ull, 0u, "OPT_NONE")
ROW(opt_OPT_BOTH, 3u, 3u, "OPT_BOTH")
ROW(opt_OPT_FIRST, 1u, 1u, "OPT_FIRST")
ROW(opt_OPT_SECOND, 2u, 2u, "OPT_SECOND")
ROW(opt_OPT_TOP, 2147483648u, 2147483648u, "OPT_TOP")
END(opt)
NAMES(low, 32, DEC, "a field")
ROW(low_OPT_FIRST, 255u, 1u, "OPT_FIRST")
ROW(low_OPT_SECOND, 255u, 2u, "SECOND")
ROW(low_OPT_NEWER, 255u, 3u, "OPT_NEWER")
ROW(low_T9, ~0ull, 9u, "nine")
ROW(low_T10, ~0ull, 10u, "ten, or more")
END(low)
NAMES(kind, 32, DEC, "an enum")
ROW(kind_KIND_A, ~0ull, 0u, "KIND_A")
ROW(kind_KIND_B, ~0ull, 5u, "KIND_B")
ROW(kind_KIND_C, ~0ull, 6u, "KIND_C")
ROW(kind_KIND_MINUS, ~0ull, 4294967294u, "KIND_MINUS")
END(kind)
ENUM(kind, "kind")
NAMES(wide, 64, HEX, "many bits")
ROW(wide_WIDE_FIRST, ~0ull, 4294967296u, "WIDE_FIRST")
ROW(wide_WIDE_NEXT, ~0ull, 4294967297u, "WIDE_NEXT")
ROW(wide_FREE_ONE, ~0ull, 7u, "FREE_ONE")
ROW(wide_FREE_TWO, ~0ull, 8u, "FREE_TWO")
ROW(wide_LATER_A, ~0ull, 4u, "LATER_A")
END(wide)
NAMES(none, 32, HEX, "a header that is not there")
END(none)
END

rows() { CC="$1 -I." "$SRCDIR/src/abi/flag_rows" sets 2>err; }

for cc in cc gcc clang; do
	command -v "$cc" >/dev/null || continue
	rows "$cc" >got || complain "$cc: $(<err)"
	[[ ! -s err ]] || complain "$cc says $(<err)"
	grep -v '^/\*' got | diff want - || complain "these rows differ with $cc"
done

refused() { # MESSAGE: sets in the file `sets`
	rows cc >/dev/null && complain "no error where '$1' was expected"
	grep -qF "$1" err || complain "'$1' was expected, not '$(<err)'"
}

printf 'set s 32 HEX help\nin own/names.h\nflag OPT_NOWHERE\n' >sets
refused 'sets:3: no header of s has OPT_NOWHERE'
printf 'set s 32 HEX help\nin own/names.h\nflag OPT_FIRST=2\n' >sets
refused 'sets:3: OPT_FIRST is 1 in the headers, not 2'
printf 'set s 32 HEX help\nin own/none.h\nflag OPT_FIRST\n' >sets
refused 'own/none.h'
printf 'set s 32 HEX help\nflags OPT_FIRST\n' >sets
refused 'no such word: flags'
exit $status
