/*
 * Struct elements of associative arrays and thread-local structs do not exist until one is assigned whole: their members
 * fault, for reading and for storing.  0 deletes them again; any kind of element takes it.
 * @stderr
 * @ref d-language 8.3 unset-struct-member
 * @ref d-language 8.4 literal-zero-any-type zero-deletes
 * @ref d-language 22.2 arg4-code arg5-value
 */
#pragma D option quiet

struct s {
	int a;
	int b[4];
};
union u {
	int i;
	char c[4];
};
struct s zero;
struct s element[int];
self struct s mine;
union u unions[string];
self union u myunion;
string strings[int];
self string mystring;
int *pointers[int];
self int numbers[int];

BEGIN { printf("read"); trace(element[1].a); }
BEGIN { element[1].a = 3; }
BEGIN { element[1].b[2]++; }
BEGIN { trace(self->mine.a); }
BEGIN { self->mine.b[3] = 1; }
BEGIN { trace(unions["a"].i); }
BEGIN { self->myunion.c[1] = 1; }

BEGIN
{
	element[1] = zero;
	element[1].a = 3;
	element[1].b[2]++;
	self->mine = zero;
	self->mine.b[3] = 4;
	printf("%d %d %d\n", element[1].a, element[1].b[2], self->mine.b[3]);
	strings[1] = "s";
	self->mystring = "m";
	pointers[1] = &curthread->pid;
	self->numbers[1] = 7;
}

BEGIN
{
	element[1] = 0;
	self->mine = 0;
	unions["a"] = 0;
	self->myunion = 0;
	strings[1] = 0;
	self->mystring = 0;
	pointers[1] = 0;
	self->numbers[1] = 0;
	printf("%d %d %d %d\n", strings[1] == NULL, self->mystring == NULL, pointers[1] == NULL, self->numbers[1]);
}

BEGIN { trace(element[1].a); }
BEGIN { self->mine.a = 1; }
BEGIN { exit(0); }

ERROR { printf("code %d value %d\n", arg4, arg5); }
