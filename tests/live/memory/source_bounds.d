/*
 * Scratch memory as what is read: by bcopy(), stringof(), strlen() and tracemem() too it must be allocated.
 * @ref d-language 11.3 bounds
 * @ref d-builtins 3.1 bcopy-source
 */
#pragma D option quiet

BEGIN { this->p = (char *)alloca(16); bcopy(this->p + 12, this->p, 8); }
BEGIN { this->p = (char *)alloca(16); bcopy(this->p - 8, this->p, 8); }
BEGIN { this->p = (char *)alloca(16); bcopy(this->p + 200, this->p, 8); }
BEGIN { this->p = (char *)alloca(16); tracemem(this->p + 16, 8); }
BEGIN { this->p = (char *)alloca(16); tracemem(this->p - 100, 8); }
BEGIN { this->p = (char *)alloca(16); trace(stringof(this->p + 16)); }
BEGIN { this->p = (char *)alloca(16); trace(stringof(this->p - 9)); }
BEGIN { this->p = (char *)alloca(16); trace(strlen(this->p - 100)); }
BEGIN { exit(0); }
ERROR { n++; printf("%d %d\n", n, arg4 == DTRACEFLT_BADADDR || arg4 == DTRACEFLT_BADSIZE); }
