/*
 * string<N> wherever a type can stand.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 7
 * @status 1
 */
string<64> a, b;
self string<32> c;
this string < 2 * 8 > d;
typedef string<N> name_t;
struct s { string<8> e; name_t f[4]; };
int g[string<8>, int];
int h(string<16> i);
inline string<8> j = "k";
BEGIN { (string<8>)a; sizeof (string<16>); xlate <string<8>>(a); (string)a < b; }
BEGIN { 1 + ; }
