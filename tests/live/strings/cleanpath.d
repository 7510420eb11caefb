/*
 * cleanpath(): a path without detours.
 * @ref d-builtins 3.2 cleanpath
 */
#pragma D option quiet

BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", cleanpath(""), cleanpath("/"), cleanpath("//"), cleanpath("///a"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a//b"), cleanpath("/a/./b"), cleanpath("/a/b/."), cleanpath("/./a"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a/../b"), cleanpath("/a/b/.."), cleanpath("/a/.."), cleanpath("/a/b/../.."));
	printf("[%s] [%s] [%s]\n", cleanpath("/.."), cleanpath("/../a"), cleanpath("/../../a/.."));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("a/.."), cleanpath("./a"), cleanpath("a/./b"), cleanpath("a/b/../c"));
	printf("[%s] [%s] [%s]\n", cleanpath("../a"), cleanpath("../../a/b/.."), cleanpath(".."));
	printf("[%s] [%s] [%s]\n", cleanpath("/a/b/"), cleanpath("a/"), cleanpath("/a/b///"));
	printf("[%s] [%s] [%s]\n", cleanpath("/a/...//b"), cleanpath("/.a/..b"), cleanpath("/usr/lib/../bin/./x"));
	exit(0);
}
