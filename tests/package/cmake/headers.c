#include <tessera/tessera.h>

int64_t consumer_size(tsr_layout l);

int64_t consumer_size(tsr_layout l) { return tsr_at(l, 0); }
