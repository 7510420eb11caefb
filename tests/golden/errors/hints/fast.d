/*
 * Timers that are too fast, with and without their provider.
 * @args -x explain
 */
profile-100000 { }
profile:::tick-1us { }
profile-nosuch { }
