/*
 * Globals, self-> and this-> are three name spaces; this-> is shared by the clauses of one firing
 * and zero when the next begins.
 * @trigger calls getppid 3
 * @ref d-language 7.2 three-namespaces
 * @ref d-language 8.1 this-per-firing this-zero-in-begin self-zero global-zero
 * @ref d-language 8.1 this-string-empty
 * @ref d-language 7.1 global-extern self this default-int
 * @ref d-language 5.1 this-shared
 * @ref d-language 8.2 assignment-creates
 */
#pragma D option quiet

int x;
self int x;
this int x;
self untyped;
this this_untyped;
string name;
self string name;
this string name;
int *pointer;
self uint8_t byte;
extern long ext;
const int constant;
int m, n, *o;

BEGIN
{
	x = 1;
	self->x = 2;
	this->x = 3;
	printf("%d %d %d\n", x, self->x, this->x);
	name = "global";
	self->name = "self";
	this->name = "this";
	printf("%s %s %s\n", name, self->name, this->name);
	self->untyped = 5000000000;
	this->this_untyped = 5000000001;
	printf("int without a type: %d %d\n", self->untyped, this->this_untyped);
	self->byte = 300;
	ext = 5;
	m = n = ext;
	constant = 6;
	printf("%d %d %d %d %d\n", self->byte, ext, m, n, constant);
	printf("%d %d\n", pointer == NULL, o == 0);
	pointer = o;
	implicit = 1ull;
	self->implicit = 'c';
	this->implicit = "s";
	printf("%d %d %s\n", sizeof(implicit), sizeof(self->implicit), this->implicit);
}

/* The same firing: this-> is still there. */
BEGIN
{
	printf("next clause %d %s %d\n", this->x, this->name, this->this_untyped);
	this->x++;
}

BEGIN
{
	printf("third clause %d\n", this->x);
	self->x = 0;
	calls = 0;
}

/* Another thread, other self-> variables; every firing, new this-> variables. */
syscall::getppid:entry
/pid == $target/
{
	printf("entry: self %d this %d [%s] %d\n", self->x, this->x, this->name, this->this_untyped);
	self->x += 10;
	this->x += 100;
	this->name = "set";
	calls++;
	self->ts = timestamp;
}

syscall::getppid:entry
/pid == $target && this->x == 100/
{
	printf("entry again: self %d this %d [%s]\n", self->x, this->x, this->name);
	this->x = 7;
}

syscall::getppid:return
/self->ts/
{
	printf("return: self %d this %d calls %d, later %d\n", self->x, this->x, calls, timestamp > self->ts);
	self->ts = 0;
}

END
{
	printf("at the end: %d %d %d\n", self->x, this->x, calls);
}
