/*
 * A struct element of an associative array or a thread-local struct that does not exist has members that are 0.  Storing
 * one makes it, whatever the member is and whichever operator stores; its other members are 0, also after it was deleted.
 * Storing 0 makes nothing.
 * @stderr
 * @ref d-language 8.3 unset-struct-member
 * @ref d-language 8.4 literal-zero-any-type zero-deletes
 */
#pragma D option quiet

struct inner {
	int x;
	char name[8];
};
struct s {
	int a;
	int b[4];
	string text;
	struct inner in;
	struct inner many[3];
	int low : 4;
	int high : 9;
};
union u {
	int i;
	char c[4];
};
struct s zero;
struct s element[int];
self struct s mine;
self struct s my[string];
union u unions[string];
self union u myunion;
self int array[4];
string strings[int];
self string mystring;
int *pointers[int];
self int numbers[int];

/* nothing was stored yet; the index is not known */
BEGIN
/element[1].a == 0 && !self->mine.b[3] && unions["a"].i < 1/
{
	this->i = 2;
	printf("%d %d '%s' %d %d", element[1].a, self->mine.b[this->i], element[2].text, self->my["x"].in.x,
		element[3].many[this->i].name[1]);
	printf(" %d %d %d %d\n", self->my["x"].low, self->array[this->i], unions["a"].c[this->i], self->myunion.i);
}

BEGIN
{
	element[1].a = 3;
	element[2].b[2]++;
	element[3].b[this->i] += 5;
	element[4].text = "text";
	element[5].text[1] = 'x';
	element[6].in.name[this->i] = 'n';
	element[7].in = element[6].in;
	element[8].low = -3;
	element[9].high = 200;
	element[10].many[this->i].x = (element[11].a = 6) + 1;
	self->my["x"].in.x = 4;
	self->mine.b[3] = 8;
	self->myunion.c[1] = 1;
	self->array[this->i] = 9;
	printf("%d %d %d %s %d %d %d", element[1].a, element[2].b[2], element[3].b[2], element[4].text,
		element[5].text[1] == 'x', element[6].in.name[2] == 'n', element[7].in.name[2] == 'n');
	printf(" %d %d %d %d", element[8].low, element[9].high, element[10].many[2].x, element[11].a);
	printf(" %d %d %d %d\n", self->my["x"].in.x, self->mine.b[3], self->myunion.i, self->array[2]);
	printf("%d '%s' %d %d '%s' %d %d %d\n", element[1].b[2], element[2].text, element[8].high, element[9].low,
		element[10].text, self->mine.a, self->mine.b[this->i], self->array[1]);
}

BEGIN
{
	element[1] = zero;
	element[1].a = 3;
	self->mine = zero;
	self->mine.b[3] = 4;
	printf("%d %d\n", element[1].a, self->mine.b[3]);
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
	printf("%d %d %d %d\n", element[1].a, self->mine.b[3], unions["a"].i, self->myunion.i);
	self->mine.a = 1;
	printf("%d %d\n", self->mine.a, self->mine.b[3]);
	exit(0);
}
