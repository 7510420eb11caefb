# 1 "system.h" 1
__extension__ typedef long long int quad; typedef __signed__ char s8;
typedef unsigned __int128 big __attribute__((aligned(16)));
extern int call(const char *__restrict name, quad n, ...) __asm__("" "call_64") __attribute__((nonnull(1), format (printf, 1, 2)));
int plain(void); quad twice(s8), *thrice(int (*)(void), char []);
extern int tab[]; extern const char *const names[]; extern struct later *later;
static __inline int body(int x) { if (x > 1) { return "}"[0] + '}'; } return 1.5e3; }
extern __inline __attribute__((always_inline)) void *other(void)
# 12 "system.h"
{ /* } */ return (void *)0; }
int unprefixed(int self, char *string) { return this + probe; }
struct __attribute__((packed)) one { char c; int i; struct { short in; }; union { long l; double d; }; } __attribute__((aligned(4)));
#pragma pack(push, 2)
struct two { char c; long l : 40; int : 0; quad q; char rest[]; } two_t, *two_p;
#pragma pack(pop)
typedef struct three { struct three *next; int counter, string : 3; char none[0]; } three_t;
typedef enum { A __attribute__((deprecated)), B = 1 << 3, C = sizeof (struct two), D = ~0U, E = 0x100000000, } letters;
typedef float four __attribute__((__vector_size__(16))); typedef int word __attribute__((mode(DI)));
typedef __typeof__(sizeof(int)) size; typedef __typeof__(three_t *) pointer; typedef struct seven { int x; };
_Static_assert(sizeof (int) == 4, "int"); __asm__(".globl x");
_Noreturn void end(void); _Thread_local int tls; struct empty { }; static const char *const text[] = { "a", "b}" };
typedef int function(int), (*callback)(function *, size (*)[4]); int (parens)(int (typed), size);
_Alignas(16) char buffer[_Alignof(long) * 2]; typedef double _Complex complex;
# 2 "script.d" 2
/* zdefs */
BEGIN { trace(sizeof (struct one)); trace(((three_t *)arg0)->counter); trace(B); x = (letters)C; }
nosuch:::probe { trace(args[0]->member); @a[args[1]->x, execname] = lquantize(args[0], 0, 10, 2); self->x[args[0]] = 1; y = (no_t *)arg0; }
END { printa(@a); self->x["a"] = "b"; y = 3; }
