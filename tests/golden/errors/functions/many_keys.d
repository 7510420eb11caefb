/*
 * More keys than there can be; without a tag.
 * @ref d-language 8.3 too-many-keys; d-errors 3 too-many-keys */
BEGIN
{
	a[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] = 1;
}
