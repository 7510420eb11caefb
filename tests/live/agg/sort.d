/*
 * Order of rows: by value, ties by key, keys unsigned; distributions by their weighted sum.
 * @ref d-builtins 7.4 sort-by-value sort-distributions sort-keys-unsigned sort-options
 * @ref output 8.4 by-value ties-by-key integers-unsigned
 * @ref options 3 aggsortrev aggsortkey aggsortkeypos
 */
#pragma D option quiet

BEGIN
{
	@v["c"] = sum(1);
	@v["b"] = sum(1);
	@v["a"] = sum(-1);
	@v["d"] = sum(-9223372036854775807);
	@k[2, "b"] = count();
	@k[-1, "a"] = count();
	@k[10, "a"] = count();
	@k[2, "a"] = count();
	@q["low"] = quantize(1);
	@q["low"] = quantize(1);
	@q["high"] = quantize(8);
	@q["negative"] = quantize(-8);
	@avg["small mean"] = avg(3);
	@avg["big mean"] = avg(10);
	@avg["big mean"] = avg(0);
	printa("%s %@d\n", @v);
	printa("%d %s\n", @k);
	printa("%s %@d\n", @avg);
	printa("%s", @q);
	printf("\n");
	setopt("aggsortrev");
	printa("rev %s %@d\n", @v);
	printa("rev %d %s\n", @k);
	setopt("aggsortrev", "no");
	setopt("aggsortkey");
	setopt("aggsortkeypos", "1");
	printa("keypos 1: %d %s\n", @k);
	setopt("aggsortkeypos", "2");
	printa("keypos 2: %d %s\n", @k);
	exit(0);
}
