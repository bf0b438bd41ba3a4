/** Names in files, and names of whole tensors. */
#ifndef TSR_SRC_RESHARD_MATCH_H
#define TSR_SRC_RESHARD_MATCH_H

#include "reshard/reshard.h"

/** The first rule that matches a name in files; -1: none. */
int tsr_reshard_rule_(tsr_reshard_spec const *spec, char const *name, reshard_captures *c);

/** The first rule that makes files' tensors of this one, as number `which` of those that it joins. */
int tsr_reshard_rule_of_(tsr_reshard_spec const *spec, char const *tensor, int *which, reshard_captures *c);

/** The axis of a rule that the number of a word owns; -1: none. */
int tsr_reshard_owner_(reshard_rule const *rule, char const *word);

/** Lists what each file of the source has, by names of whole tensors and then by ranks. */
bool tsr_reshard_entries_(tsr_reshard *r, tsr_message *error);

#endif
