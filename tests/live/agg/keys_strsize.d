/*
 * Keys are as long as strsize lets strings be.
 * @args -q -x strsize=8
 * @ref d-language 15 string-keys
 * @ref d-language 10.1 strsize-characters
 */
BEGIN
{
	@a["12345678"] = count();
	@a["123456789"] = count();
	@a[strjoin("1234", "56789")] = count();
	@a["1234567"] = count();
	exit(0);
}
