/*
 * Clause-local variables are 0 in BEGIN before they are assigned; a string is empty, not NULL.
 * @ref d-language 8.1 this-zero-in-begin this-string-empty
 */
#pragma D option quiet

this int declared;
this int64_t wide;
this string text;
this int *pointer;

BEGIN
{
	printf("%d %d [%s] %d %d\n", this->declared, this->wide, this->text, this->text == NULL,
		this->pointer == NULL);
	printf("%d %d\n", this->counted++, this->counted);
}

BEGIN
/this->declared == 0 && this->wide == 0 && this->counted == 1/
{
	exit(0);
}
