/** Hints of cuda/cache.cuh, which change no byte. */
#ifndef TSR_EMULATE_CACHE_H
#define TSR_EMULATE_CACHE_H

#include "tessera/emulate/words.h"

inline uint64_t tsr_cache_evict_first(void) { return 1; }
inline uint64_t tsr_cache_evict_last(void) { return 2; }
inline uint64_t tsr_cache_evict_normal(void) { return 3; }

#endif
