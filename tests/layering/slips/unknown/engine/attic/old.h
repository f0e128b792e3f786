// A room that nobody listed.
