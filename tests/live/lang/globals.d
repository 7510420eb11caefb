/*
 * Globals, thread-locals, clause-locals and elements may be assigned; a 0 is a value of a global.
 * @ref d-language 8.4 global-scalar-holds-zero
 * @ref d-language 9.5 writable
 * @ref d-language 8.1 global-zero
 * @ref d-language 6.1 string-size bool kernel-types
 */
#pragma D option quiet

int g;
string s;

BEGIN
{
	printf("%d [%s]\n", g, s);
	g = 5;
	s = "text";
	self->t = 6;
	this->c = 7;
	a["k"] = 8;
	self->b[1] = 9;
	printf("%d %s %d %d %d %d\n", g, s, self->t, this->c, a["k"], self->b[1]);
	g = 0;
	s = 0;
	printf("%d %d\n", g, s == NULL);
	g++;
	s = "again";
	printf("%d %s\n", g, s);
	printf("%d %d %d %d\n", sizeof(string), sizeof(s), sizeof(bool), sizeof(struct list_head));
	exit(0);
}
