/*
 * setopt: options that may change while tracing take effect from the next record.
 * @filter 's/^ +[0-9]+( +[0-9]+ +:(BEGIN|END))/  0\1/; s/^ +[0-9]+ \|/  0 |/'
 * @ref d-builtins 4 setopt
 * @ref output 15 setopt-later-records; output 8.4 dynamic aggsortkeypos aggsortpos
 * @ref d-builtins 6 setopt-next running-options
 * @ref d-language 5.3 consumer-actions-in-order
 * @ref options 1 setopt; options 3 aggsortrev aggsortkey aggsortkeypos aggsortpos quiet rawbytes dynamic
 */
BEGIN
{
	@a["x", 2] = sum(1);
	@a["y", 1] = sum(2);
	@b["x", 2] = sum(2);
	@b["y", 1] = sum(1);
	printa("%s %@d\n", @a);
	setopt("aggsortrev");
	printa("%s %@d rev\n", @a);
	setopt("aggsortrev", "no");
	setopt("aggsortkey", "true");
	printa("%s %@d key\n", @a);
	setopt("aggsortkeypos", "1");
	printa("%s %@d keypos\n", @a);
	setopt("aggsortkey", "off");
	setopt("aggsortpos", "1");
	printa("%s %@d %@d pos\n", @a, @b);
}

BEGIN
{
	trace(1);
	setopt("quiet");
}

BEGIN
{
	trace("quiet now");
	trace(2);
	setopt("rawbytes");
}

BEGIN
{
	trace(3);
	setopt("rawbytes", "unset");
	setopt("quiet", "disable");
}

BEGIN
{
	trace(4);
	setopt("flowindent", "yes");
}

BEGIN
{
	trace(5);
	setopt("switchrate", "10hz");
	setopt("aggrate", "1s");
	setopt("stackindent", "4");
	setopt("quietresize");
	exit(0);
}
