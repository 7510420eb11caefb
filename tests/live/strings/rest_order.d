/*
 * The operands of a string plus an integer are evaluated from left to right.
 * @ref d-language 5.5 left-to-right
 */
#pragma D option quiet

string word() { self->i = 4; return "dtrace"; }
string from(string s) { return s; }

BEGIN { self->i = 2; printf("%s\n", self->i + word()); }
BEGIN { self->i = 2; printf("%s\n", word() + self->i); }
BEGIN { self->i = 1; printf("%s\n", self->i + (word() + self->i)); }
BEGIN { self->i = 1; printf("%s\n", (self->i + word()) + self->i); }
BEGIN { self->i = 2; printf("%s\n", from((self->i % 9) + word())); }
BEGIN { self->i = 2; printf("%s\n", stringof((char *)(self->i + word()))); }
BEGIN { self->i = 2; printf("%c\n", *(self->i + word())); }
BEGIN { exit(0); }
