/*
 * Device numbers: 12 and 20 bits.
 * @ref d-builtins 3.4 getmajor-getminor
 */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", getmajor(0), getminor(0));
	printf("%d %d\n", getmajor(0x800001), getminor(0x800001));
	printf("%d %d\n", getmajor(0xfffff), getminor(0xfffff));
	printf("%d %d\n", getmajor(0x100000), getminor(0x100000));
	printf("%d %d\n", getmajor((dev_t)-1), getminor((dev_t)-1));
	this->null = (dev_t)(1 << 20 | 3);
	printf("%d %d\n", getmajor(this->null), getminor(this->null));
}

BEGIN
/getmajor(getmajor(0xfff00000) << 20) == 4095/
{
	printf("%d\n", sizeof (getmajor(1)));
	exit(0);
}
