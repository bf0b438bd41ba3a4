/** The names of element types: this library's and CuTe's. */
#include <string.h>

#include "text/write.h"

char const *tsr_dtype_name(tsr_dtype type)
{
    switch (type) {
#define X(id, code, bits, exponent, mantissa, bias, special, name, ...) \
  case TSR_##id:                                                        \
    return name;
        TSR_DTYPE_LIST(X)
#undef X
    default:
        return NULL;
    }
}

size_t tsr_type_read_(char const *text, tsr_dtype *type)
{
    size_t n = 0;
    while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= '0' && text[n] <= '9') || text[n] == '_')
        ++n;
#define X(cute, id)                                            \
  if (n == sizeof #cute - 1 && strncmp(text, #cute, n) == 0) { \
    *type = TSR_##id;                                          \
    return n;                                                  \
  }
    TSR_DTYPE_NAME_LIST(X)
#undef X
#define X(id, code, bits, exponent, mantissa, bias, special, name, ...) \
  if (n == sizeof name - 1 && strncmp(text, name, n) == 0) {            \
    *type = TSR_##id;                                                   \
    return n;                                                           \
  }
    TSR_DTYPE_LIST(X)
#undef X
    return 0;
}

tsr_dtype tsr_dtype_named(char const *name)
{
    tsr_dtype type = 0;
    return tsr_type_read_(name, &type) == strlen(name) ? type : 0;
}

char const *tsr_type_cute_name_(tsr_dtype type)
{
#define X(cute, id)     \
  if (type == TSR_##id) \
    return #cute;
    TSR_DTYPE_NAME_LIST(X)
#undef X
    return "?";
}
