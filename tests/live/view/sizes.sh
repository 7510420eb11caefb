#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A damaged file can say that values are as large as it likes: what is printed with rawbytes is what is there.
# @vm no: the format of a file, the kernel has no part in it
"$DTRACE" --output=json:saved.json -x rawbytes -qn 'BEGIN { trace(5); trace("ab"); @[1, "k"] = count(); exit(0); }' || exit 1
sed 's/"size":[0-9]*/"size":4000000000/g' saved.json >large.json
cmp -s saved.json large.json && { echo "nothing was changed"; exit 1; }
"$DTRACE" --view large.json
