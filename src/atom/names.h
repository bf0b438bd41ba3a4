/** The names of atoms, as the parser and the formatter use them. */
#ifndef TSR_SRC_ATOMS_H
#define TSR_SRC_ATOMS_H

#include "tessera/atoms.h"

#include "text/writer.h"

/** Reads the MMA atom that the text begins with; returns how many characters it has, 0 when it is no name of one. A
 *  name that has the form of one, but is no instruction, gives an invalid atom. */
size_t tsr_mma_read_(char const *text, tsr_mma_atom *x);

void tsr_mma_write_(writer *w, tsr_mma_atom x);

/** The same for the names of sm_100 and sm_120. */
size_t tsr_umma_read_(char const *text, tsr_mma_atom *x);

void tsr_umma_write_(writer *w, tsr_mma_atom x);

/** Takes a token from a text that is read, or a number of at most 6 digits (-1: there is none). */
bool tsr_name_take_(char const **p, char const *token);

int tsr_name_number_(char const **p);

/** The same for copy atoms: OP, or Copy_Atom<OP,TYPE>. */
size_t tsr_copy_read_(char const *text, tsr_copy_atom *x);

void tsr_copy_write_(writer *w, tsr_copy_atom x);

/** The block of shared memory that a name like Layout_K_SW128_Atom<half_t> denotes. */
size_t tsr_smem_read_(char const *text, tsr_layout *x);

#endif
