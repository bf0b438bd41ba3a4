/** Element types by the names that files give them; 0 for a name that is not known. */
#ifndef TSR_SRC_IO_TYPES_H
#define TSR_SRC_IO_TYPES_H

#include "tessera/io.h"

/** NumPy's name, of any byte order. */
tsr_dtype tsr_io_type_of_numpy_(char const *descr);

/** The name in ml_dtypes of a type of whole bytes that NumPy has no code for: 'bfloat16', 'float8_e4m3fn'. */
tsr_dtype tsr_io_type_of_ml_dtypes_(char const *name);

tsr_dtype tsr_io_type_of_safetensors_(char const *name);

/** safetensors' name; NULL: it has none. */
char const *tsr_io_safetensors_of_type_(tsr_dtype type);

/** Turns the bytes of each element round; of a complex one those of each part. */
void tsr_io_swap_(tsr_dtype type, void *elements, uint64_t bytes);

#endif
