/** What a rule asks for together, and what it stacks. */
#include <stdio.h>
#include <string.h>

#include "mesh/form.h"
#include "reshard/spec.h"

/** Has `as` the words of `name`, and as many stars? One word more is that of a stack. */
static bool same_holes(char const *name, char const *as, reshard_capture *more)
{
    int stars[2] = {0, 0}, words[2] = {0, 0}, width = 0;
    reshard_capture hole;
    memset(more, 0, sizeof *more);
    for (int k = 0; k < 2; ++k)
        for (char const *p = k ? as : name; *p;)
            if (*p == '{' || *p == '*') {
                stars[k] += *p == '*';
                p = tsr_reshard_hole_(p, &hole, &width);
                words[k] += hole.word[0] != 0;
                if (!hole.word[0] || tsr_reshard_has_word_(k ? name : as, hole.word))
                    continue;
                if (k == 0 || more->word[0] || hole.local)
                    return false;
                *more = hole;
            } else {
                ++p;
            }
    return stars[0] == stars[1] && words[0] + (more->word[0] != 0) == words[1];
}

static bool find_stack(reshard_rule *rule, tsr_message *error)
{
    for (int k = 0; k < rule->joined; ++k) {
        reshard_capture more;
        if (!same_holes(rule->name, rule->as[k], &more) || (k > 0 && strcmp(more.word, rule->stack) != 0))
            return tsr_dist_fail_(error,
                                  "%s and %s have other stars or words: none could be made of the other. One word "
                                  "more, and the same one in all names behind `as`, is what a file stacks",
                                  rule->name, rule->as[k]);
        memcpy(rule->stack, more.word, sizeof rule->stack);
    }
    return true;
}

/** Mode 0 of a stack is the number of a word, which an axis owns as where files have a tensor for each number. */
static bool take_stack(reshard_rule *rule, tsr_message *error)
{
    bool owned = false;
    if (rule->pad || rule->rows || rule->groups)
        return tsr_dist_fail_(error, "stacked tensors have no padding and no groups");
    for (int a = 0; a < RESHARD_AXES; ++a) {
        reshard_axis_rule *const use = &rule->axis[a];
        if (use->use == RESHARD_PLACED && use->placement.kind != TSR_PLACE_REPLICATE) {
            if (use->placement.mode-- > 0)
                continue;
            if (use->placement.kind != TSR_PLACE_SHARD)
                return tsr_dist_fail_(error, "{%s} is stacked along mode 0, which S(0) cuts", rule->stack);
            use->use = RESHARD_OWNED;
            use->placement = (tsr_placement){TSR_PLACE_REPLICATE, 0, 0};
            memcpy(use->word, rule->stack, sizeof use->word);
            use->owned = rule->sizes;
            rule->sizes.count = 0;
        }
        if (use->use != RESHARD_OWNED || strcmp(use->word, rule->stack) != 0)
            continue;
        if (owned)
            return tsr_dist_fail_(error, "{%s} is stacked along mode 0, which one axis cuts, not two", rule->stack);
        owned = true;
    }
    return true;
}

/** Keeps the words that own axes, whose numbers are counted. */
static bool keep_owner(tsr_reshard_spec *spec, char const *word, int axis, tsr_message *error)
{
    for (int i = 0; i < spec->owners; ++i)
        if (spec->owner[i].axis == axis && strcmp(spec->owner[i].word, word) == 0)
            return true;
    if (spec->owners == RESHARD_HOLES)
        return tsr_dist_fail_(
            error,
            "{%s} is one word too many: at most %d own axes. Write one word, as {layer}, in all rules "
            "whose numbers are counted together",
            word, RESHARD_HOLES);
    reshard_owner *const owner = &spec->owner[spec->owners++];
    memcpy(owner->word, word, sizeof owner->word);
    owner->axis = axis;
    return true;
}

static bool check_heads(reshard_rule const *rule, tsr_message *error)
{
    if (rule->heads.count == 0)
        return true;
    if (rule->heads.count != rule->joined)
        return tsr_dist_fail_(error, "%d numbers of heads are given, for %d joined tensors", rule->heads.count,
                              rule->joined);
    for (int k = 0; k < rule->joined; ++k)
        if (rule->heads.size[k] == 0)
            return tsr_dist_fail_(error, "a tensor has 1 head or more");
    return !(rule->groups || rule->stack[0] || rule->pad || rule->rows || rule->sizes.count || rule->once
             || (rule->joined == 1 && rule->parts.count))
           || tsr_dist_fail_(error, "tensors of heads have no groups, stacks, sizes or padding, and are there on all "
                                    "ranks");
}

bool tsr_reshard_rule_check_(tsr_reshard_spec *spec, reshard_rule *rule, tsr_message *error)
{
    if (!find_stack(rule, error) || (rule->stack[0] && !take_stack(rule, error)))
        return false;
    int const shaped =
        (rule->parts.count > 0 && rule->joined == 1) + (rule->sizes.count > 0) + (rule->pad || rule->rows);
    for (int a = 0; a < spec->axes; ++a) {
        reshard_axis_rule const *const use = &rule->axis[a];
        if (use->use == RESHARD_PINNED && use->at >= spec->axis[a].size)
            return tsr_dist_fail_(error, "axis %s has coordinates 0 to %lld, not %lld", spec->axis[a].name,
                                  (long long)spec->axis[a].size - 1, (long long)use->at);
        if (use->use == RESHARD_OWNED && !tsr_reshard_has_word_(rule->as[0], use->word))
            return tsr_dist_fail_(error, "the name has no {%s}, which owns axis %s", use->word, spec->axis[a].name);
        if (use->owned.count > 0 && use->owned.count != spec->axis[a].size)
            return tsr_dist_fail_(error, "axis %s has %lld ranks, and %d sizes", spec->axis[a].name,
                                  (long long)spec->axis[a].size, use->owned.count);
        if (use->use == RESHARD_OWNED && !keep_owner(spec, use->word, a, error))
            return false;
    }
    if (shaped > 1)
        return tsr_dist_fail_(error, "parts, sizes and padding of one tensor exclude each other");
    if (rule->joined > 1 && (rule->sizes.count > 0 || rule->pad || rule->rows))
        return tsr_dist_fail_(error, "joined tensors have no sizes and no padding");
    if (rule->joined > 1 && rule->parts.count > 0 && rule->parts.count != rule->joined)
        return tsr_dist_fail_(error, "%d tensors are joined, and there are %d parts", rule->joined,
                              rule->parts.count);
    if (!check_heads(rule, error))
        return false;
    return !rule->multiple || rule->pad > 0 || tsr_dist_fail_(error, "rows are a multiple of 1 or more");
}
