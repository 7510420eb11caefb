/*
 * Lines that end as on other systems.
 * @args -x explain
 */
BEGIN { trace(1 + ); }
