"""The C++ core: compiled at first use, an accelerator that nothing depends on."""
