/*
 * After the end of a string that is no variable there are zeros, whatever string was there before.
 * @ref d-language 10.3 rest plus
 */
#pragma D option quiet

BEGIN
{
	i = 7;
	letters = "abcdefghijklmnopqrstuvwxyz";
	a = strjoin(letters, letters);
	a = substr(a, 1);
	printf("%d %d %d %d\n", *("x" + 7), *("x" + i), *(7 + "x"), *("x" + i + 1));
	printf("%d %d %d %d\n", ("x")[7], ("x")[i], *((char *)"x" + i), ("x" + 2)[5]);
	printf("%d %d %d\n", *(strjoin("a", "b") + 7), strjoin("a", "b")[i], *(substr(letters, 24) + i));
	printf("%d %d %d\n", *(execname + 14), *((i ? "y" : "z") + i), *(basename("/x") + i));
	printf("%d %d %d\n", *(strchr("xyz", 'z') + i), *(stringof("w") + 200), *(lltostr(i) + i));
	printf("%c%c%c %d\n", *("xyz" + 0), *("xyz" + 2), ("xyz")[1], *("xyz" + 3));
	p = "x" + 3 - 1;
	printf("%d %s|\n", *(p + 4), stringof(p));
	exit(0);
}
