/*
 * No place, nothing to add.
 * @args -x explain
 */
