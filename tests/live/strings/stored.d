/*
 * A character of a string is assigned: of variables of each class, members and copies of user or kernel memory, by every
 * assignment operator; the bytes after the end are there, NULL and places outside the string are faults.
 * @ref d-language 10.3 store
 */
#pragma D option quiet

struct with {
	int before;
	string<9> name;
	int behind;
} st;
self string own;
this string local;
string<5> sized;
string element[int];
string unset;
string dotted(string s) { s[1] = '.'; return s; }

BEGIN
{
	s = "hello";
	i = 2;
	s[0] = 'J';
	s[i] = '-';
	s[4]++;
	--s[1];
	printf("%s %d\n", s, s[3] += 2);
	*s = 'K';
	*(s + 1) = 'a';
	*(i + s) = s[0];
	printf("%s %c\n", s, s[4] = '!');
	s[3] = 0;
	printf("%s %d\n", s, strlen(s));
	s[3] = '+';
	printf("%s\n", s);
	self->own = "thread";
	self->own[0] -= 32;
	element[7] = "element";
	element[7][i * 2] = '_';
	sized = "abcdefgh";
	sized[4] = 'Z';
	st.name = "member";
	st.name[0] = 'M';
	unset[0] = 'u';
	printf("%s %s %s %s %d %s\n", self->own, element[7], sized, st.name, st.behind, unset);
	printf("%s %s\n", dotted("abc"), dotted(sized));
	this->copy = stringof(curthread->comm);
	this->copy[0] = this->copy[6] = '#';
	printf("%s\n", this->copy);
	this->p = (struct with *)alloca(sizeof(struct with));
	this->p->name = "scratch";
	this->p->name[6] = '%';
	printf("%s\n", this->p->name);
}

/* A clause-local string that was not assigned is empty throughout. */
BEGIN
{
	this->local[3] = 'd';
	for (this->i = 0; this->i < 3; this->i++)
		this->local[this->i] = 'a' + this->i;
	printf("%s\n", this->local);
	for (this->i = 0; this->i < 26; this->i++)
		this->local[this->i] = 'a' + this->i;
	printf("%s\n", this->local);
}

BEGIN { s[255] = 'x'; printf("the last\n"); }
BEGIN { s[256] = 'x'; }
BEGIN { s[-1] = 'x'; }
BEGIN { i = -5; s[i]++; }
BEGIN { sized[5] = 'x'; }
BEGIN { st.name[9] = 'x'; }
BEGIN { s = NULL; }
BEGIN { s[3] = 'x'; }
BEGIN { self->own = NULL; }
BEGIN { self->own[4] = 'x'; }
BEGIN { element[8][5] = 'x'; }
BEGIN { exit(0); }
ERROR { printf("clause %d: %d %d\n", arg2, arg4, arg5); }
