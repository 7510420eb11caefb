#!/usr/sbin/dtrace -Cs
/*
 * -C: the C preprocessor, its definitions, includes and conditions.
 * @needs cpp
 * @args -C -D FROM_COMMAND=5 -D BOTH=1 -U BOTH -I "$DIR/include"
 * @ref d-language 1.2 definitions-and-includes predefined
 */
#include "numbers.h"
#include "numbers.h"
#define NAME "name" // a comment of C++
#define CLAUSE(n) BEGIN { printf("clause %d\n", n); }
#pragma D option quiet

CLAUSE(1)
CLAUSE(TWICE(THREE))

BEGIN
{
	printf("%d %d %s\n", TWICE(4), FROM_COMMAND, NAME);
	printf("%d %d\n", sizeof(number_t), (number_t)70000);
#ifdef BOTH
	printf("not this\n");
#else
	printf("undefined\n");
#endif
#if defined(__linux) && defined(__unix) && defined(__SVR4) && defined(__SUNW_D)
	printf("%d %d\n", __SUNW_D, __SUNW_D_VERSION > 0x1000000);
#else
	printf("not predefined\n");
#endif
#ifdef __GNUC__
	printf("not undefined\n");
#endif
	exit(0);
}
