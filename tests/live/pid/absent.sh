#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pages of memory that nobody has touched are waited for: strings and bytes of them are right, never empty; what is
# nowhere is a fault with its address.
# @ref d-builtins 3.1 copyin copyinstr
set -u
. "${0%/*}/lib.sh"

printf 'at the beginning\0' >file
truncate -s 4093 file
printf 'across pages\0' >>file
truncate -s 12288 file
# shellcheck disable=SC2016
try "$DTRACE" -q -n '
pid$target:a.out:take:entry { printf("%d %s %d\n", ++n, copyinstr(arg0), *(char *)copyin(arg0, 1)); }
pid$target:a.out:take:return { returns++; }
ERROR { printf("fault %d %d\n", arg4 == DTRACEFLT_BADADDR, arg5 == 8); }
END { printf("%d\n", returns); }' -c "$here/memory file file"
expect_status 0
expect_prints '1 at the beginning 97
2 across pages 97
3  0
fault 1 0
fault 1 1
5
'

# each page of a string is waited for, none behind it
head -c 15000 /dev/zero | tr '\0' x >file
truncate -s 32768 file
try "$DTRACE" -q -x strsize=64k -n 'pid$target:a.out:take:entry { printf("%d\n", strlen(copyinstr(arg0))); }' -c "$here/memory long file"
expect_prints '15000
'
expect_err 'not fetched'$'\n'
try "$DTRACE" -q -x strsize=4k -n 'pid$target:a.out:take:entry { printf("%d\n", strlen(copyinstr(arg0))); }' -c "$here/memory long file"
expect_prints '4095
'
expect_err 'not fetched'$'\n'
finish
