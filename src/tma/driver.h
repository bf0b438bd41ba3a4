/** Libraries that are looked for at run time: the CUDA driver and NVRTC. */
#ifndef TSR_SRC_DRIVER_H
#define TSR_SRC_DRIVER_H

#include "tessera/exec/tma.h"

/** The file names of the driver and of NVRTC, best first; a NULL ends each list. */
extern char const *const driver_names[];
extern char const *const compiler_names[];

/** The first library of the list that can be loaded, or NULL. */
void *driver_open(char const *const *names);

/** A function of it, or NULL. */
void *driver_symbol(void *library, char const *name);

void driver_close(void *library);

/** tsr_tma_encode by a function of the driver, tiled or im2col as the map is; NULL: TMA_DRIVER. */
tsr_reason tma_encode_with(void *function, tsr_tma_desc const *d, uint64_t address, void *map);

#endif
