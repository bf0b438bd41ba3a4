/** Libraries that are looked for at run time: the CUDA driver and NVRTC. */
#ifndef TSR_SRC_DRIVER_H
#define TSR_SRC_DRIVER_H

#include "tessera/exec/tma.h"

/** The file names of the driver and of NVRTC, best first; a NULL ends each list. */
extern char const *const tsr_driver_names_[];
extern char const *const tsr_compiler_names_[];

/** The first library of the list that can be loaded, or NULL. */
void *tsr_driver_open_(char const *const *names);

/** A function of it, or NULL. */
void *tsr_driver_symbol_(void *library, char const *name);

void tsr_driver_close_(void *library);

/** tsr_tma_encode by a function of the driver, tiled or im2col as the map is; NULL: TMA_DRIVER. */
tsr_reason tsr_tma_encode_with_(void *function, tsr_tma_desc const *d, uint64_t address, tsr_tma_map *map);

#endif
