#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Dates of a known moment, in two time zones, and a stopwatch: h:mm:ss.mmm out of nanoseconds.
# @ref output 11 formatted zone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
mkdir bin && ln -s "$DTRACE" bin/dtrace && PATH=$PWD/bin:$PATH
export LC_ALL=C

cat >when.d <<'D'
#!/usr/sbin/dtrace -s

#pragma D option quiet

/* the moment comes in seconds, as date +%s prints it */
inline uint64_t when = $1 * 1000000000;

dtrace:::BEGIN
{
	printf("date     %Y\n", when);
	printf("padded   [%24Y]\n", when);
	printf("left     [%-24Y]\n", when);
	printf("next day %Y\n", when + (uint64_t)24 * 3600 * 1000000000);
	printf("epoch    %Y\n", (uint64_t)0);
	exit(0);
}
D
for zone in UTC0 EST5; do
	echo "$zone"
	TZ=$zone dtrace -s when.d 1136239445
done

cat >watch.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet

int64_t laps[int];

dtrace:::BEGIN
{
	start = timestamp;
	wall = walltimestamp;
	laps[0] = 61 * 1000000000;	laps[1] = 3599999 * 1000000;
	laps[2] = 3600 * 1000000000;	laps[3] = 86399999999999;
	i = 0;
}

tick-10ms
/i < 4/
{
	this->ns = laps[i];
	this->ms = this->ns / 1000000;
	printf("%2d:%02d:%02d.%03d\n", this->ms / 3600000, (this->ms / 60000) % 60, (this->ms / 1000) % 60,
	    this->ms % 1000);
	i++;
}

tick-10ms
/i >= 4 && timestamp - start >= 50 * 1000000/
{
	this->wall = walltimestamp - wall;
	this->mono = timestamp - start;
	printf("both clocks ran on: %s\n", this->wall > 40000000 && this->mono >= this->wall / 2 ? "yes" : "no");
	printf("after 2005: %d, vtimestamp is less: %d\n", wall / 1000000000 > 1104537600, vtimestamp <= timestamp);
	exit(0);
}
D
dtrace -s watch.d
