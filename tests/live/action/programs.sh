#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Several programs on one command line are one session: their clauses run in order, variables
# and aggregations are shared, exit in one ends all.
# @ref d-language 3 programs-share
# @ref d-language 5.1 program-order
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

cat >script.d <<'END'
BEGIN { printf("script x %d\n", x); x = 3; @a["script"] = count(); }
END { printf("end of script\n"); }
END

"$DTRACE" -q -n 'BEGIN { printf("first\n"); x = 2; @a["first"] = count(); }' -s script.d \
	-n 'BEGIN { printf("third x %d\n", x); this->y = 5; } END { printf("end of third\n"); }' \
	-n 'BEGIN { printf("fourth y %d\n", this->y); @a["first"] = count(); exit(2); }' \
	-n 'BEGIN { printf("not reached\n"); }'
echo "status $?"
