/** Sectors of global memory: how many an access touches, beside the fewest that could hold its bytes.
 *
 *  An access is a layout (thread, value) to the index of an element, cut into vectors as in atom/banks.h. A warp of 32
 *  threads asks for one vector each with one request. Memory answers in sectors of 32 bytes, four to a line of 128; a
 *  sector that several threads need is moved once for a request. The first element is aligned to 128 bytes.
 *
 *  Law     per request: sectors = distinct at / 32, lines = distinct at / 128 over the bytes `at` that it touches, and
 *          ideal = distinct bytes / 32, rounded up; ideal <= sectors <= 4 * lines. The counts add up over requests.
 *  Source  CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"; Nsight Compute, memory tables.
 */
#ifndef TSR_ATOM_SECTORS_H
#define TSR_ATOM_SECTORS_H

#include "tessera/atom/banks.h"

TSR_HEADER_BEGIN

/** (requests, sectors, lines, ideal sectors) of a global memory access. Sectors beyond the ideal are moved for nothing.
 *  Errors   those of bank_conflicts.
 *  Example  global_sectors<float>((_32,_1):(_1,_0))  =  (1,4,1,4)
 *  Example  global_sectors<float>((_32,_1):(_32,_0))  =  (1,32,32,4) */
TSR_API tsr_tuple tsr_global_sectors(tsr_layout access, tsr_dtype type);

/** The same of one value: of the vector that holds it.
 *  Errors   OUTSIDE for a value that the access does not have.
 *  Example  global_sectors<half_t>((_32,(_8,_2)):(_8,(_1,_256)), 11)  =  (1,16,4,16) */
TSR_API tsr_tuple tsr_global_sectors_of(tsr_layout access, tsr_tuple value, tsr_dtype type);

TSR_HEADER_END

#endif
