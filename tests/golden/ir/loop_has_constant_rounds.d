/*
 * A loop's body is a function that bpf_loop() calls. A for that counts from one constant to another has its number of
 * rounds; any other loop gets loopbound + 1, 1025.
 * @only body looped
 */
int x;

BEGIN
{
	for (this->i = 0; this->i < 5; this->i++)
		x++;
	while (x < 10)
		x++;
}
