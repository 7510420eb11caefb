#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lockstat:::adaptive-acquire-error: a wait for a mutex that ends without it, with the error number.
# @ref providers 12 adaptive-acquire-error adaptive-block
. "${0%/*}/../lib.sh"
can locks error 1 1

observe locks error 3 10 <<'EOD'
lockstat:::adaptive-acquire-error
/pid == $target && threadname == "waiter"/
{
	printf("error %d %d\n", tid, (int)arg1 < 0 ? -(int)arg1 : (int)arg1);
	@[arg0 != 0] = count();
}
/* it waited all the same */
lockstat:::adaptive-block /pid == $target && threadname == "waiter" && arg1 >= 10000000/ { blocks++; }
END { printa("locks %d %@d\n", @); printf("blocks %d\n", blocks); }
EOD
same 3 error
grep -q '^locks 1 3$' events.txt || complain "$(<events.txt)"
grep -q '^blocks 3$' events.txt || complain "$(<events.txt)"
exit $bad
