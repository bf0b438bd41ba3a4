/** How a row of the table is called: its parameters in words, and by names. */
#include "calc/value.h"

#include <string.h>

/** What a parameter takes, in a word. */
static char const *parameter_word(char parameter)
{
    static struct {
        char const *letters, *word;
    } const others[] = {{"NP", "n"},        {"B", "type"},     {"U", "tuples.."},  {"V", "integers or tuples.."},
                        {"i", "indices.."}, {"Q", "tilers.."}, {"M", "layouts.."}, {"l", "transforms.."}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (strchr(others[i].letters, parameter))
            return others[i].word;
    char const *const words = tsr_kind_words_(tsr_kind_of_letter_(parameter)); /* "a layout" */
    return strchr(words, ' ') ? strchr(words, ' ') + 1 : words;
}

void tsr_call_write_row_(writer *w, tsr_op const *row)
{
    char title[128];
    tsr_format_op(title, sizeof title, row);
    size_t const name = strlen(row->name);
    put(w, "%s", row->name);
    for (char const *p = title + name; *p; ++p) {
        if (strchr("<(, =", p[-1]) && strchr(">),", p[1]) && !strchr("<(, =>)", *p))
            put(w, "%s", parameter_word(*p));
        else
            put(w, "%c", *p);
    }
}

/** The name of a parameter that has none in the table: that of its kind. */
static char const *kind_name(char parameter)
{
    static struct {
        char letter;
        char const *name;
    } const others[] = {{'N', "n"},       {'P', "path"},   {'B', "type"},    {'U', "tuples"},    {'V', "values"},
                        {'i', "indices"}, {'Q', "tilers"}, {'M', "layouts"}, {'l', "transforms"}};
    static char const *const members[] = {
#define VALUE(letter, id, type, member, words) #member,
        VALUE_LIST(VALUE, VALUE)
#undef VALUE
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (others[i].letter == parameter)
            return others[i].name;
    return members[tsr_kind_of_letter_(parameter)];
}

/** How many parameters of a kind have no name in the table, of the first n characters of the signature. */
static int count_nameless(tsr_op const *row, char kind, size_t n)
{
    char const *label = row->labels;
    int count = 0;
    for (size_t i = 0; i < n; ++i)
        if (tsr_op_is_filled_(row->signature[i]))
            count += tsr_op_label_next_(&label).length == 0 && row->signature[i] == kind;
    return count;
}

void tsr_op_write_names_(writer *w, tsr_op const *row)
{
    char const *label = row->labels;
    size_t const all = strlen(row->signature);
    for (size_t i = 0; i < all; ++i) {
        char const kind = row->signature[i];
        if (!tsr_op_is_filled_(kind))
            continue;
        op_label const at = tsr_op_label_next_(&label);
        put(w, "%s", w->used > 0 ? " " : "");
        if (at.length > 0)
            put(w, "%.*s", at.length, at.word);
        else if (count_nameless(row, kind, all) > 1)
            put(w, "%c", 'a' + count_nameless(row, kind, i));
        else
            put(w, "%s", kind_name(kind));
    }
}
