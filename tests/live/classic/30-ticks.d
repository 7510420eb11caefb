#!/usr/sbin/dtrace -s
/*
 * A tick as the clock of a report: lines until enough of them were printed, the header again after
 * every third line, and a time limit that is never reached.
 * @trigger paced 200 5
 * @ref providers 7 tick
 */

#pragma D option quiet

inline int INTERVAL = 3;
inline int LINES = 7;
inline string TITLE = "paced";

dtrace:::BEGIN
{
	printf("%s, every %d lines a header\n", TITLE, INTERVAL);
	lines = INTERVAL;
	calls = 0;
	total = 0;
}

syscall::getppid:entry
/pid == $target/
{
	calls++;
}

profile:::tick-20ms
/lines >= INTERVAL && total < LINES/
{
	printf("%4s %-6s\n", "LINE", "CALLS");
	lines = 0;
}

profile:::tick-20ms
/total < LINES && calls/
{
	lines++;
	total++;
	printf("%4d %-6s\n", total, calls > 0 ? "some" : "none");
	calls = 0;
}

profile:::tick-20ms
/total == LINES/
{
	exit(0);
}

tick-15sec
{
	printf("too slow\n");
	exit(1);
}

dtrace:::END
{
	printf("%d lines\n", total);
}
