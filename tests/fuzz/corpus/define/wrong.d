provider p {
	probe x();
	probe x();
};

BEGIN
{
	trace(1);
}
provider p1 {
	probe x();
};

BEGIN
{
	trace(1);
}
provider p {
	probe x(int, ...);
};

BEGIN
{
	trace(1);
}
