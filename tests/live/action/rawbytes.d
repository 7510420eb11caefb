/*
 * Option rawbytes: trace() shows bytes, and so do string keys; printf is as ever.
 * @args -x rawbytes -x strsize=16 -q
 * @ref d-builtins 5.1 rawbytes
 * @ref output 3 rawbytes
 * @ref d-builtins 5.2 header rows
 * @ref options 3 rawbytes
 */
BEGIN
{
	trace((int)0x01020304);
	trace((uint64_t)0x4142434445464748);
	trace((char)127);
	printf("%d %s\n", 7, "plain");
	exit(0);
}
