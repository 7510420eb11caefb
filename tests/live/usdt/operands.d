/*
 * Arguments of USDT probes in every form that x86-64 has; what cannot be followed is a fault.
 * @args -q
 * @trigger operands
 * @stderr
 * @filter 's/operands[0-9]+/operandsPID/; s/probe ID [0-9]+/probe ID N/'
 * @ref providers 16.3 operands names semaphore
 * @ref providers 16.4 description one-row-of-several-sites
 */
operands$target:::constant,
operands$target:::r8-r11,
operands$target:::r12-r15,
operands$target:::base,
operands$target:::index,
operands$target:::no-base,
operands$target:::stack,
operands$target:::symbol,
operands$target:::unsized,
operands$target:::r?x,
operands$target:::r?i
{
	printf("%s %d %d %d %d %d %d %d %d %x %x\n", probename, arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7,
	    arg8, arg9);
}

operands$target:::unreadable
{
	printf("%s %d\n", probename, arg0);
	printf("%d\n", arg1);
}

operands$target:::unreadable
{
	printf("%d\n", arg2);
}

operands$target:::unreadable
{
	printf("%d and %d\n", arg3, arg4);
}

operands$target:::several
{
	printf("%s:%s:%s %d %d\n", probemod, probefunc, probename, (int)arg0, (int)arg1);
}

dtrace:::ERROR
{
	printf("fault %d 0x%x\n", arg4, arg5);
}
