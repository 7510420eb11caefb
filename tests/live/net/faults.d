/*
 * Addresses that cannot be read are faults with the address; a family or a hardware type that is not known is an illegal
 * operation, also when it is known at run time only. The clause ends there.
 * @ref d-builtins 3.3 bad-pointer inet_ntop-family link_ntop-type
 * @ref d-language 22.1 badaddr illop
 */
#pragma D option quiet

BEGIN { zero = 0; far = 64; p = (uint32_t *)zero; q = (struct in6_addr *)far; three = 3; }
BEGIN { printf("no %s", inet_ntoa(p)); }
BEGIN { printf("no %s", inet_ntoa((uint32_t *)64)); }
BEGIN { printf("no %s", inet_ntoa6(NULL)); }
BEGIN { printf("no %s", inet_ntoa6(q)); }
BEGIN { printf("no %s", inet_ntoa6(q, 1)); }
BEGIN { printf("no %s", inet_ntop(2, p)); }
BEGIN { printf("no %s", inet_ntop(10, q)); }
BEGIN { printf("no %s", link_ntop(1, NULL)); }
BEGIN { printf("no %s", link_ntop(32, q)); }
BEGIN { this->a = alloca(20); printf("no %s", inet_ntop(0, this->a)); }
BEGIN { this->a = alloca(20); printf("no %s", inet_ntop(three, this->a)); }
BEGIN { this->a = alloca(20); printf("no %s", link_ntop(0, this->a)); }
BEGIN { this->a = alloca(20); printf("no %s", link_ntop(three, this->a)); }
BEGIN { this->a = alloca(20); printf("no %s", link_ntop(-1, this->a)); }
BEGIN { printf("the end\n"); exit(0); }

ERROR { printf("clause %d: %d 0x%x\n", arg2, arg4, arg5); }
