/*
 * Made by chance: nested subroutines of strings, what they give worked out from the reference's words. strsize 4096.
 * @ref d-builtins 2 nested-subroutines
 * @ref d-builtins 3.2 strjoin strstr substr strtok cleanpath
 * @ref d-builtins 0 null-strings-fault
 */
#pragma D option quiet
#pragma D option strsize=4096
#pragma D option scratchsize=4096
string s0; string s1; this string s2; self string s3; int i0; int i1; string as[string, int];
string wrap(string s, int n)
{
	this->w = strjoin("<", s);
	if (n > 0) this->w = strjoin(this->w, ">");
	if (n > 1) this->w = strjoin(this->w, ">");
	if (n > 2) this->w = strjoin(this->w, ">");
	return this->w;
}
BEGIN  { this->s2 = "init"; self->s3 = "own"; }
BEGIN /(s1 <= "ab")/ { s0 = this->s2;
	s0 = self->s3; printf("0\n"); }
BEGIN /(-2 - i0)/ { this->s2 = lltostr((strjoin(s0, "/b") == NULL)); printf("1\n"); }
BEGIN  { self->s3 = cleanpath("/");
	this->s2 = strjoin(strchr("a.,", 'a'), lltostr(i1)); printf("2\n"); }
BEGIN  { printf("%d;", -3); printf("3\n"); }
BEGIN /(this->s2 > self->s3)/ { as[dirname(s0), 2] = dirname(dirname(s0)); 
	as[stringof(this->s2), 0] = strstr(this->s2, this->s2); 
	as[lltostr(i1), 0] = strrchr(substr(s1, 9, -4), 'b');  printf("4\n"); }
BEGIN  { printf("[%s]", wrap(dirname(strjoin("//", this->s2)), 0));
	i1 = (strrchr(strjoin(s0, s1), 'a') == NULL);
	printf("[%s]", lltostr(-1)); printf("5\n"); }
BEGIN  { this->s2 = s1;
	printf("%d;", i0);
	this->s2 = cleanpath(dirname(cleanpath(self->s3)));
	printf("%d;", ((s1 == NULL) + (self->s3 < this->s2))); printf("6\n"); }
BEGIN  { s1 = lltostr((self->s3 >= s0)); printf("7\n"); }
BEGIN  { s0 = ".,./,.b,";
	printf("[%s]", strjoin(strjoin(this->s2, strjoin(",", "0123456789")), cleanpath(strtok("a", s1))));
	printf("[%s]", ".a/b..");
	printf("[%s]", ((cleanpath("a,b,,c") == NULL) ? substr(dirname(".,a/ax."), (int)strlen(s0)) : wrap(basename(s0), 3))); printf("8\n"); }
BEGIN { exit(0); }
