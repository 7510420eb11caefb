/*
 * What is no scratch memory of the clause is not written, nor read through a pointer to it.
 * @stderr
 * @ref d-language 11.3 validity bounds
 * @ref d-language 22.2 arg4-code
 */
#pragma D option quiet

int *saved;

BEGIN { saved = (int *)alloca(8); *saved = 1; }
BEGIN { x = *saved; }
BEGIN { *saved = 2; }
BEGIN { this->p = (int *)alloca(8); this->p[2] = 1; }
BEGIN { this->p = (int *)alloca(8); this->p[-1] = 1; }
BEGIN { this->p = (int *)alloca(8); x = this->p[2]; }
BEGIN { this->p = (int *)alloca(8); this->p = 0; *this->p = 1; }
BEGIN { this->p = (int *)alloca(8); x = *(int *)((char *)this->p + 6); }
BEGIN { this->p = (int *)alloca(0); *this->p = 1; }
BEGIN { printf("done\n"); exit(0); }

ERROR
{
	printf("clause %d: %s\n", arg2, arg4 == DTRACEFLT_BADADDR ? "address" : arg4 == DTRACEFLT_BADSIZE ? "size" : "other");
}
