/*
 * setopt() turns pictures on and off from one printa() to the next; a pragma says what they are drawn with.
 * @stderr
 * @filter 's/probe ID [0-9]+/probe ID N/'
 * @ref output 9.4
 * @ref options 1.1
 * @ref options 3 agghist aggzoom dynamic
 */
#pragma D option quiet
#pragma D option encoding=utf8

BEGIN
{
	@c["a"] = sum(1);
	@c["b"] = sum(2);
	@c["c"] = sum(5);
	@q["a"] = quantize(1, 1);
	@q["a"] = quantize(2, 2);
	@q["a"] = quantize(4, 5);
	printf("nothing set");
	printa(@c);
	printa(@q);
	setopt("agghist");
	setopt("aggpack");
	printf("both");
	printa(@c);
	printa(@q);
	setopt("aggzoom");
	printf("zoom");
	printa(@c);
	printa(@q);
	setopt("agghist", "no");
	setopt("aggpack", "no");
	printf("zoom alone");
	printa(@c);
	printa(@q);
	setopt("aggzoom", "no");
	setopt("encoding", "ascii");
	printf("nothing");
	printa(@q);
	setopt("aggpack");
	exit(0);
}

/* the end is later than the setopt() */
END
{
	@last["a"] = quantize(1);
}
