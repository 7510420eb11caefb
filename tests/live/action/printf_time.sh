#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# %Y and %T: the time zone is that of the environment.
# @ref d-builtins 8.1 Y T
# @ref output 11 zone; output 7 Y T
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

times='BEGIN
{
	this->t = (int64_t)1638552000123456789;
	printf("%Y|%T|%24Y|%-24Y|%.4Y|%34T|\n", this->t, this->t, this->t, this->t, this->t, this->t);
	printf("%Y|%T\n", (uint64_t)0, (int64_t)68169600000000000);
	exit(0);
}'

TZ=UTC0 "$DTRACE" -qn "$times" || exit 1
TZ=XYZ-5:30 "$DTRACE" -qn "$times" || exit 1

# walltimestamp is now, whatever else it is
now=$(date -u +'%Y %b')
TZ=UTC0 "$DTRACE" -qn 'BEGIN { printf("%.8Y\n", walltimestamp); exit(0); }' >year.txt
[[ $(head -n 1 year.txt) == "$now" || $(head -n 1 year.txt) == $(date -u +'%Y %b') ]] || {
	echo "walltimestamp: $(<year.txt), expected $now"
	exit 1
}
