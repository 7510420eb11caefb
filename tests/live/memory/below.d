/*
 * Below the beginning of scratch memory: every distance and size faults, for reads, writes and copies, and the value is
 * the offset, which starts at 8.
 * @stderr
 * @ref d-language 11.3 bounds
 * @ref d-builtins 3.1 bcopy-bounds
 * @ref d-language 22.2 arg5-value
 */
#pragma D option quiet

BEGIN { this->p = (char *)alloca(8); trace(this->p[-1]); }
BEGIN { this->p = (char *)alloca(8); trace(this->p[-8]); }
BEGIN { this->p = (char *)alloca(8); trace(this->p[-9]); }
BEGIN { this->p = (char *)alloca(8); this->p[-9] = 1; }
BEGIN { this->p = (char *)alloca(8); *(long *)(this->p - 12) = 1; }
BEGIN { this->p = (char *)alloca(8); trace(*(long *)(this->p - 16)); }
BEGIN { this->p = (char *)alloca(8); trace(this->p[-100]); }
BEGIN { this->p = (char *)alloca(64); i = 32; bcopy(curthread, this->p - 20, i); }
BEGIN { this->p = (char *)alloca(64); i = 32; bcopy(curthread, this->p - 40, i); }
BEGIN { this->p = (char *)alloca(64); i = 32; copyinto(0x1000, i, this->p - 40); }
BEGIN { exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
