/*
 * An element of an associative array may be as big as a variable.
 * @ref d-language 8.2 struct-assigned
 * @ref d-language 11.4 whole-copy
 */
#pragma D option quiet

struct big {
	char text[10240];
	int last;
};
struct big g;
struct big element[int];

BEGIN
{
	g.text[10239] = 'z';
	g.last = 9;
	element[1] = g;
	element[1].text[3] = 'x';
	i = 10239;
	printf("%c %c %d\n", element[1].text[i], element[1].text[3], element[1].last);
	exit(0);
}
