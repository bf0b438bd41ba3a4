/** Which operations a word may mean: synonyms, whole parts of names, and the nearest spelling. */
#include <string.h>

#include "calc/value.h"

/* clang-format off */
/** X(word, "names"): what other libraries call an operation. */
#define SYNONYM_LIST(X) \
    X(compose, "composition") X(invert, "right_inverse left_inverse") \
    X(simplify, "coalesce") X(squeeze, "coalesce filter") X(permute, "select transpose") X(swapaxes, "transpose") \
    X(reorder, "select") X(reshape, "composition unflatten") X(concat, "append tuple_cat") X(cat, "append tuple_cat") \
    X(stack, "append") X(numel, "size") X(len, "size") X(nelem, "size") X(ndim, "rank") X(dims, "rank") \
    X(strides, "stride") X(extent, "shape") X(ravel, "coalesce") X(unravel, "unflatten") \
    X(unravel_index, "idx2crd") X(ravel_multi_index, "crd2idx") X(coord2idx, "crd2idx") X(idx2coord, "idx2crd") \
    X(vectorize, "max_common_vector") X(vector_width, "max_common_vector") \
    X(tile, "zipped_divide local_tile") X(divide, "logical_divide zipped_divide tiled_divide") \
    X(split, "logical_divide zipped_divide") X(codomain, "cosize") X(range, "cosize span") \
    X(bijective, "is_bijective") X(contiguous, "is_contiguous") X(same, "same_function equal") \
    X(partition, "local_partition") X(thread_value, "make_layout_tv") X(make_tv, "make_layout_tv")
/* clang-format on */

/** Is the word a whole part of a name between `_`, or its beginning? */
static bool is_part(char const *word, char const *name)
{
    size_t const n = strlen(word);
    for (char const *at = strstr(name, word); n >= 4 && at; at = strstr(at + 1, word)) {
        bool const begins = at == name || at[-1] == '_', ends = at[n] == 0 || at[n] == '_';
        if (at == name || (begins && ends))
            return true;
    }
    return false;
}

/** Puts a name of n characters among the others, once, as the table has it. */
static int add_name(char const **names, int count, int capacity, char const *name, size_t n)
{
    int rows = 0;
    tsr_op const *const row = tsr_ops(&rows);
    for (int i = 0; i < count; ++i)
        if (strlen(names[i]) == n && strncmp(names[i], name, n) == 0)
            return count;
    for (int i = 0; i < rows && count < capacity; ++i)
        if (strlen(row[i].name) == n && strncmp(row[i].name, name, n) == 0) {
            names[count] = row[i].name;
            return count + 1;
        }
    return count;
}

/** The operations that a list of names with blanks between has. */
static int add_names(char const **names, int count, int capacity, char const *list)
{
    while (*list) {
        size_t const n = strcspn(list, " ");
        count = add_name(names, count, capacity, list, n);
        list += n + (list[n] == ' ');
    }
    return count;
}

int tsr_ops_meant(char const *word, char const **names, int capacity)
{
    int rows = 0, count = 0;
    tsr_op const *const row = tsr_ops(&rows);
    tsr_nearest nearest = {word, NULL, 0};
    for (int i = 0; i < rows; ++i)
        tsr_nearest_try(&nearest, row[i].name);
#define X(synonym, list)           \
  if (strcmp(word, #synonym) == 0) \
    count = add_names(names, count, capacity, list);
    SYNONYM_LIST(X)
#undef X
    if (count > 0)
        return count;
    for (int i = 0; i < rows && (!nearest.name || nearest.distance > 1); ++i)
        if (is_part(word, row[i].name))
            count = add_name(names, count, capacity, row[i].name, strlen(row[i].name));
    return count == 0 && nearest.name ? add_names(names, count, capacity, nearest.name) : count;
}
