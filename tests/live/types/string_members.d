/*
 * Strings as members of structs and elements of arrays.
 * @ref d-language 6.1 string-size
 * @ref d-language 11.4 member-stores whole-copy
 */
#pragma D option quiet
#pragma D option strsize=16

struct s {
	string name;
	int i;
};

struct s v;
string list[3];

BEGIN
{
	printf("[%s] [%s]\n", v.name, list[1]);
	v.name = "a name";
	v.i = 3;
	list[1] = strjoin(v.name, "!");
	i = 2;
	list[i] = "more than sixteen characters";
	w = v;
	v.name = "another";
	printf("[%s] [%s] [%s] [%s] %d\n", v.name, w.name, list[1], list[i], w.i);
	printf("%d %d %d\n", strlen(w.name), w.name == "a name", sizeof(v.name));
	exit(0);
}
