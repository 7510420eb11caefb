/*
 * Variables that hold scratch pointers may be set to 0 and NULL, and be compared with it and with other pointers.
 * @ref d-language 11.3 taint arithmetic
 * @ref d-language 9.2 pointers
 */
#pragma D option quiet

int *declared;

BEGIN
{
	printf("%d ", declared == NULL);
	declared = alloca(8);
	*declared = 3;
	printf("%d %d %d\n", declared == NULL, declared == &curthread->pid, *declared);
	declared = 0;
	this->p = (char *)alloca(8);
	this->p = NULL;
	self->p = (char *)alloca(8);
	self->p = 0;
	e[1] = (char *)alloca(8);
	e[1] = NULL;
	printf("%d %d %d %d\n", declared == NULL, this->p == NULL, self->p == NULL, e[1] == NULL);
	i = 1;
	this->p = i ? (char *)alloca(8) : NULL;
	*this->p = 'c';
	declared = i ? copyin(0, 0) : alloca(8);
	printf("%c\n", *this->p);
	/* a mix is fine as long as no variable keeps it */
	printf("%d\n", (i ? (int *)alloca(0) : &curthread->pid) == &curthread->pid);
	exit(0);
}
