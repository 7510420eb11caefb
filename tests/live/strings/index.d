/*
 * index() and rindex(): where a string begins in another, from a place or up to it.
 * @ref d-builtins 3.2 index index-empty rindex rindex-negative
 */
#pragma D option quiet

BEGIN
{
	s = "foobarfoo";
	n = -1;
	printf("%d %d %d %d\n", index(s, "foo"), index(s, "bar"), index(s, "o"), index(s, "x"));
	printf("%d %d %d %d\n", index(s, "foo", 0), index(s, "foo", 1), index(s, "foo", 6), index(s, "foo", 7));
	printf("%d %d %d\n", index(s, "foo", n), index(s, "foo", -100), index(s, "foo", 100));
	printf("%d %d %d %d %d %d\n", index("abc", ""), index("abc", "", 2), index("abc", "", 3),
		index("abc", "", 4), index("abc", "", -5), index("", ""));
	printf("%d %d %d %d\n", rindex(s, "foo"), rindex(s, "bar"), rindex(s, "o"), rindex(s, "x"));
	printf("%d %d %d %d\n", rindex(s, "foo", 100), rindex(s, "foo", 6), rindex(s, "foo", 5), rindex(s, "foo", 0));
	printf("%d %d %d\n", rindex(s, "foo", n), rindex(s, "f", -100), rindex(s, "bar", 2));
	printf("%d %d %d %d %d %d\n", rindex("abc", ""), rindex("abc", "", 1), rindex("abc", "", 0),
		rindex("abc", "", -1), rindex("abc", "", 9), rindex("", ""));
	printf("%d %d\n", index("ab", "abc"), rindex("ab", "abc"));
	exit(0);
}
