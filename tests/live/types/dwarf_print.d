/*
 * print() of a program's structs.
 * @ref output 10
 * @ref providers 15
 * @trigger dwarf_requests
 * @filter 's/0x[0-9a-f]+/0xADDR/'
 */
#pragma D option quiet

pid$target:a.out:handle_request:entry
{
	print(*args[0]);
	print(*args[0]->next);
	print(args[0]->verb);
	print(args[4]);
	print(args[0]->grid);
}
