/*
 * else with no if.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { x = 1; else x = 2; }
