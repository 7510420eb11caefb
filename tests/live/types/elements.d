/*
 * Structs as elements and thread-local variables: assigned as a whole, deleted by 0; the members of one that is not
 * there are 0, and storing one makes the element with the others 0.
 * @stderr
 * @ref d-language 8.4 literal-zero-any-type zero-deletes
 * @ref d-language 8.3 unset-struct-member
 */
#pragma D option quiet

struct s {
	int a;
	int b;
};

union u {
	int i;
	char c;
};

struct s made;
union u both;
struct s array[int];
union u unions[string];
self struct s local;
self string text;
string texts[int];

BEGIN
{
	made.a = 1;
	made.b = 2;
	both.i = 5;
	array[1] = made;
	array[2] = made;
	unions["x"] = both;
	self->local = made;
	self->text = "t";
	texts[1] = "e";
	array[1].b = 20;
	self->local.a += 9;
	unions["x"].c = 'c';
	printf("%d %d %d %d %d %d %d\n", array[1].a, array[1].b, array[2].b, self->local.a, self->local.b,
		made.b, unions["x"].i == 'c');
	array[1] = 0;
	self->local = 0;
	unions["x"] = 0;
	self->text = 0;
	texts[1] = 0;
	printf("%d %d %d\n", array[2].a, self->text == NULL, texts[1] == NULL);
}

BEGIN { printf("%d %d %d %d\n", array[1].a, self->local.b, unions["x"].i, array[9].a); }

BEGIN
{
	array[1].a = 1;
	self->local.b = 1;
	printf("%d %d %d %d\n", array[1].a, array[1].b, self->local.a, self->local.b);
}

BEGIN
{
	array[1] = made;
	self->local = made;
	array[1].a = 3;
	printf("%d %d %d\n", array[1].a, array[1].b, self->local.b);
	exit(0);
}
