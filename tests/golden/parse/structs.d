/*
 * Structs, unions and enums, with their members.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 7.4
 * @ref d-language 7.5
 * @ref d-language 7.6
 * @status 1
 */
struct s;
struct s *a;
struct s {
	int a, *b, c[3], (*d)(int);
	struct s *next;
	struct { uint8_t e : 3, : 2, f : 3; } g;
	union u { long h; char i[8]; } j[2];
	enum { X, Y = 1 << 4 } k;
	const char *l;
} b, *c;
union { int m; } d;
enum { A, B = 4, C };
enum e { D = -1, };
typedef struct { int n; } pair_t;
pair_t e[int];
enum e f;
BEGIN { 1 + ; }
