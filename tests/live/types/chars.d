/*
 * An array of char is text where its bytes up to the first NUL are printable: in print() one string, and in trace(), where
 * other bytes than NULs after the first make it a dump.  Integers of a byte that are not char are bytes and numbers.
 * @filter 's/^ +[0-9]+( +1 +:BEGIN)/  C\1/'
 * @ref d-builtins 5.1 struct; d-builtins 5.4 struct
 * @ref output 3 aggregate quiet-aggregate; output 10 arrays char-array-end leading-nul-array
 */
typedef char text_t[4];
struct s {
	char name[8];
	char full[4];
	char odd[4];
	char late[4];
	char none[4];
	char lines[2][4];
	text_t alias;
	unsigned char u[4];
	int8_t i[4];
	char last[3];
};
struct s s;
char full[4];
char late[4];
char odd[4];
char quoted[8];
text_t alias;
unsigned char u[4];
int8_t i8[4];
uint8_t u8[4];

BEGIN
{
	s.name[0] = 'a'; s.name[1] = ' '; s.name[2] = '"';
	s.full[0] = 'f'; s.full[1] = 'u'; s.full[2] = 'l'; s.full[3] = 'l';
	s.odd[0] = 'o'; s.odd[1] = 1;
	s.late[2] = 'l';
	s.lines[1][0] = 'x';
	s.alias[0] = 't'; s.alias[1] = '\n';
	s.u[0] = 'u';
	s.i[0] = 'i';
	s.last[0] = 'z'; s.last[2] = 1;
	full[0] = 'F'; full[1] = 'U'; full[2] = 'L'; full[3] = 'L';
	late[2] = 'l';
	odd[0] = 'o'; odd[1] = 1;
	alias[0] = 't';
	quoted[0] = '\t'; quoted[1] = '\\';
	u[0] = 'u';
	i8[0] = 'i';
	u8[0] = 'w';
}

BEGIN { trace(s.name); trace(1); }
BEGIN { trace(full); trace(2); }
BEGIN { trace(late); trace(3); }
BEGIN { trace(quoted); trace(4); }
BEGIN { trace(alias); trace(5); }
BEGIN { trace(s.lines[1]); trace(6); }
BEGIN { full[1] = 0; trace(full); full[1] = 'U'; }
BEGIN { trace(odd); }
BEGIN { trace(u); }
BEGIN { trace(i8); }
BEGIN { trace(u8); }
BEGIN { trace(s.lines); }
BEGIN { print(s); }
BEGIN { print(s.name); print(full); print(late); print(odd); print(quoted); print(alias); print(u); print(i8); }
BEGIN { printf("%s %s %s", s.name, full, u); @[full] = count(); @[s.name] = count(); }
BEGIN { setopt("rawbytes"); }
BEGIN { trace(full); print(s.name); }
BEGIN { setopt("rawbytes", "unset"); setopt("quiet"); }
BEGIN { trace(s.name); trace(full); trace(late); trace(full); trace("\n"); exit(0); }
