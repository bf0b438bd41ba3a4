/** What is asked of the library that is linked: its version, and the sizes of its values. */
#define TSR_ABI_SYMBOLS

#include "tessera/tile/adaptor.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

char const *tsr_version(void)
{
    return TEXT(TSR_VERSION_MAJOR) "." TEXT(TSR_VERSION_MINOR) "." TEXT(TSR_VERSION_PATCH);
}
