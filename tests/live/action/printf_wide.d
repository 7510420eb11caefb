/*
 * printf of wide characters: UTF-8 where they are printed.
 * @ref d-builtins 8.1 wide
 * @ref output 7 lc-ls wc-ws
 */
#pragma D option quiet

BEGIN
{
	printf("[%lc] [%lc] [%lc]\n", 'a', 0xe9, 0x20ac);
	printf("[%wc]\n", 0x20ac);
	exit(0);
}
