#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The notes of libstdc++: who throws, what and how often.
# @timeout 60
# @needs c++
# @ref providers 16.3 note operands; providers 16.4 description globs one-row-of-several-sites; output 6
set -u
. "$SRCDIR/tests/live/real/lib.sh"
cat >throws.cc <<'END'
#include <stdexcept>
__attribute__((noinline)) void refuse(int n)
{
	if (n & 1)
		throw n;
	throw std::runtime_error("even");
}
int main()
{
	int caught = 0;
	for (int n = 0; n < 7; n++)
		try {
			refuse(n);
		} catch (int) {
			caught++;
		} catch (std::exception &) {
			caught++;
		}
	return caught != 7;
}
END
c++ -O2 -o throws throws.cc || exit 1
library=$(ldd throws | awk '/libstdc\+\+/ { print $3 }')
[[ -n $library ]] && has_notes "$library" libstdcxx || skip "this libstdc++ has no static probes"

# the type is named by its type information, whose name is the second word
# shellcheck disable=SC2016
timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q -n 'libstdcxx$target:::throw {
		@[probefunc, copyinstr(*(uintptr_t *)copyin(arg1 + 8, 8))] = count(); }
	libstdcxx$target:::catch { @c[probename] = count(); }
	END { printa("%s %s %@d\n", @); printa("%s %@d\n", @c); }' -c ./throws 2>&1 </dev/null | grep . | sort >got
same 'what is thrown' got <<'END'
__cxa_throw St13runtime_error 4
__cxa_throw i 3
catch 7
END

# shellcheck disable=SC2016
timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q -n 'libstdcxx$target:::throw { @[ustack(3)] = count(); }' -c ./throws \
	2>&1 </dev/null | sed -E 's/^ +//; s/\+0x[0-9a-f]+$//; /^$/d' >got
grep -qx 'throws`refuse(int)' got || fail 'by whom' got
[[ $(grep -E '^[0-9]+$' got | awk '{ n += $1 } END { print n }') == 7 ]] || fail 'how often' got
exit $failed
