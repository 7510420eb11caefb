/*
 * json(): a member of an object, an element of an array, by path; NULL for what isn't there.
 * @ref d-language 21 json
 */
#pragma D option quiet

BEGIN
{
	j = "{ \"name\": \"value\", \"n\": 42, \"o\": { \"a\": [ 1, \"two\", { \"b\": 3 } ], \"t\": true }, \"f\": -1.5e3 }";
	printf("[%s] [%s]\n", json(j, "name"), json(j, "n"));
	printf("[%s] [%s] [%s]\n", json(j, "o.a[0]"), json(j, "o.a[1]"), json(j, "o.a[2].b"));
	printf("[%s] [%s]\n", json(j, "o.t"), json(j, "f"));
	printf("%d %d %d %d\n", json(j, "none") == NULL, json(j, "o.none") == NULL, json(j, "o.a[3]") == NULL,
		json(j, "name.x") == NULL);
	printf("%d %d\n", json("no json", "a") == NULL, json("", "a") == NULL);
	printf("%d\n", strtoll(json(j, "n")) + 1);
	exit(0);
}
