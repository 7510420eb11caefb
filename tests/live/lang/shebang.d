#!/usr/sbin/dtrace -s

  #! any such line
/*
 * The first line of a script that runs by itself is skipped; a backslash joins lines.
 * @ref d-language 1.1 shebang continued-line
 * @ref cli 1.3 other-lines
 */
#pragma D option quiet

BEGIN
{
	x = 1 + \
		2;
	printf("%d lines\n", x);
	exit(0);
}
