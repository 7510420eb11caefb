/*
 * Many new keys in one firing of a probe that fires in interrupt context: none is lost.
 * @ref d-language 15 never-lost
 * @stderr
 */
#pragma D option quiet
#pragma D option aggsortkey

int n;

tick-10ms
/n < 3/
{
	@one["a"] = count();
	@one["b"] = count();
	@one["c"] = count();
	@two[1, n] = sum(1);
	@two[2, n] = sum(2);
	for (this->i = 0; this->i < 20; this->i++) {
		@many[this->i] = count();
		made[n, this->i] = 1;
	}
	self->a[n] = self->b[n] = 1;
	n++;
}

tick-10ms
/n == 3/
{
	foreach (a, b in made)
		@elements = count();
	exit(0);
}
