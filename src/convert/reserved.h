/** Words that a name of emitted code must not be. */
#ifndef TSR_SRC_CONVERT_RESERVED_H
#define TSR_SRC_CONVERT_RESERVED_H

#include "tessera/convert.h"

/** Is a name no identifier of a language, or one that means something else in it: a keyword, a macro that a compiler or
 *  an emitted header defines, or what a kernel finds there? */
bool tsr_code_reserves_(tsr_code in, char const *name);

#endif
