// A precompiled header of several test programs needs a library that it belongs to.
