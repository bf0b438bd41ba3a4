/** A library that has none of CUDA's functions. */
extern int const nothing;
int const nothing = 0;
