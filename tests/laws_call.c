/** The laws once more, through the exported symbols of the compiled library. */
#include "tessera/call.h"

#define LAW(fn) tsrc_##fn
#define LAWS_CALLED

#include "laws.c"
