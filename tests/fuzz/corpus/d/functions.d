string<16> name; self string<8> t; typedef string<4> tiny; struct s { string<8> m; int n; };
int square(int n) { return n * n; } string<8> pick(int n, string other) { if (n) return other; return "none" }
void note(struct s *p) { trace(p->n); return; } int twice(int n) { return square(n) + square(n) }
translator struct s < int i > { n = square(i); m = "x"; }; translator struct s < string<8> v > { m = v; };
BEGIN { name = pick(square(2), "abc"); self->t = (string<8>)name; trace(sizeof (string<16>)); trace(xlate <struct s> (3).n); }
