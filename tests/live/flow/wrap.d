/*
 * A loop's variable wraps as its type does, also where the count could be reckoned from constants.
 * @stderr
 */
#pragma D option quiet

int n;
this char c;
this uint8_t u;
this int i;
this short s;

BEGIN { for (this->u = 250; this->u > 5; this->u++) n++; printf("%d\n", n); n = 0; }
BEGIN { for (this->c = 100; this->c > 5; this->c++) n++; printf("%d\n", n); n = 0; }
BEGIN { for (this->i = 2147483640; this->i > 0; this->i++) n++; printf("%d\n", n); n = 0; }
BEGIN { for (this->x = 4294967290U; this->x; this->x++) n++; printf("%d\n", n); n = 0; }
BEGIN { for (this->i = -3; this->i < 3U; this->i++) n++; printf("%d\n", n); n = 0; }
BEGIN { for (this->c = 120; this->c < 200; this->c++) n++; printf("never\n"); }
BEGIN { printf("char %d\n", n); n = 0; }
BEGIN { for (this->x = 2U; this->x >= 0; this->x--) n++; printf("never\n"); }
BEGIN { printf("unsigned %d\n", n); n = 0; }
BEGIN { for (this->s = 0; this->s < 40000; this->s += 1000) n++; printf("never\n"); }
BEGIN { printf("short %d\n", n); n = 0; }
BEGIN { for (this->i = 0; this->i < 3000000000; this->i += 1000000) n++; printf("never\n"); }
BEGIN { printf("int %d\n", n); exit(0); }
