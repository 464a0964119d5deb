"""The fast path of order 2 on CPUs: the layers' rows in C++, compiled at first use."""
