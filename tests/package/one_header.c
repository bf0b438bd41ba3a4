/** A program that has nothing but the single header. */
#include <tessera.h>

int main(void) { return tsr_at(tsr_make_layout(tsr_t(4, 8), tsr_t(8, 1)), tsr_t(1, 2)) != 10; }
