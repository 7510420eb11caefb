/*
 * Loops, functions and branches in a probe that fires on all CPUs at once: nothing is lost or
 * mixed between firings.
 * @trigger calls threads 4 2000
 * @ref d-language 15 never-lost
 */
#pragma D option quiet

int triangle(int n)
{
	this->sum = 0;
	for (this->k = 1; this->k <= n; this->k++)
		this->sum += this->k;
	return this->sum;
}

syscall::getppid:entry
/pid == $target/
{
	self->n++;
	for (this->i = 0; this->i < 4; this->i++) {
		if (this->i == 2)
			continue;
		self->s = strjoin("step ", lltostr(this->i));
		@steps[self->s] = sum(triangle(this->i));
	}
	if (self->n % 2)
		@odd = count();
	else
		@even = count();
}

END
{
	printa("%@d\n", @odd);
	printa("%@d\n", @even);
}
