/*
 * Faults of bcopy(): the size (BADSIZE with it), the source (BADADDR with it), the destination (BADADDR with its offset).
 * @stderr
 * @ref d-builtins 3.1 bcopy-size bcopy-source bcopy-bounds
 * @ref d-language 22.1 badsize badaddr
 * @ref d-language 22.2 arg4-code arg5-value
 */
#pragma D option quiet

BEGIN { this->d = (char *)alloca(16); n = -1; bcopy("hello", this->d, n); }
BEGIN { this->d = (char *)alloca(16); n = 300; bcopy("hello", this->d, n); }
BEGIN { this->d = (char *)alloca(16); bcopy("hello", this->d, 300); }
BEGIN { this->d = (char *)alloca(16); bcopy((void *)8, this->d, 8); }
BEGIN { this->d = (char *)alloca(16); bcopy(NULL, this->d, 8); }
BEGIN { this->d = (char *)alloca(16); bcopy((string)NULL, this->d, 8); }
BEGIN { this->d = (char *)alloca(16); n = 17; bcopy(curthread, this->d, n); }
BEGIN { this->d = (char *)alloca(16); bcopy(curthread, this->d + 9, 8); }
BEGIN { this->d = (char *)alloca(16); bcopy(curthread, this->d + 16, 1); }
BEGIN { this->d = (char *)alloca(16); this->d = 0; bcopy(curthread, this->d, 8); }
BEGIN { exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
