/*
 * lltostr() with a base, as illumos has it: 0x before base 16, 0 before base 8; other bases than 10 see the number without
 * its sign.
 * @ref d-builtins 3.2 lltostr lltostr-base
 */
#pragma D option quiet

BEGIN
{
	ten = 10;
	sixteen = 16;
	printf("[%s] [%s] [%s] [%s]\n", lltostr(-255, 10), lltostr(-255, ten), lltostr(0, 10), lltostr(0));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(255, 16), lltostr(255, sixteen), lltostr(-1, 16), lltostr(8, 8));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(5, 2), lltostr(35, 36), lltostr(36, 36), lltostr(26, 3));
	printf("%d [%s]\n", strlen(lltostr(-1, 2)), lltostr(-9223372036854775807 - 1, 10));
	s = lltostr(12345);
	printf("%s %d %d %s\n", s, strlen(s), s == "12345", strjoin("a", lltostr(-7)));
	n[lltostr(7)] = 8;
	printf("as a key %d\n", n["7"]);
	@[lltostr(pid == $pid), lltostr((char)-3)] = count();
	printa("%s %s %@d\n", @);
	exit(0);
}
