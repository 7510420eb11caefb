/*
 * Option rawbytes: trace() shows bytes, and so do string keys; printf is as ever.
 * @args -x rawbytes -x strsize=16 -q
 */
BEGIN
{
	trace((int)0x01020304);
	trace((uint64_t)0x4142434445464748);
	trace((char)127);
	printf("%d %s\n", 7, "plain");
	exit(0);
}
