/** The bodies of tile/links.h. */
#ifndef TSR_TILE_BODY_LINKS_H
#define TSR_TILE_BODY_LINKS_H

#include "tessera/tile/links.h"
#include "tessera/tile/body/tensor_view.h"

TSR_HEADER_BEGIN

TSR_LOCAL bool tsr_name_ends_(char c) { return c == ' ' || c == ',' || c == '\0'; }

/** The next name at or behind *p, and its length; 0 at the end. */
TSR_LOCAL int tsr_next_name_(char const **p)
{
    int n = 0;
    while (**p == ' ' || **p == ',')
        ++*p;
    while (!tsr_name_ends_((*p)[n]))
        ++n;
    return n;
}

/** Returns the place of a name of n letters in a list, -1 for none; *times: how often the list has it. */
TSR_LOCAL int tsr_name_place_(char const *list, char const *name, int n, int *times)
{
    int place = -1, i = 0;
    *times = 0;
    for (int m = tsr_next_name_(&list); m > 0; list += m, m = tsr_next_name_(&list), ++i) {
        int same = 0;
        while (same < n && same < m && list[same] == name[same])
            ++same;
        if (same != n || m != n)
            continue;
        place = *times == 0 ? i : place;
        ++*times;
    }
    return place;
}

TSR_OP tsr_links tsr_make_links(char const *lower, char const *upper)
{
    tsr_links s = TSR_ZERO;
    s.lower = lower;
    s.upper = upper;
    return s;
}

/** The places of the names of one side of a link. */
TSR_LOCAL uint8_t tsr_link_names_(tsr_links *s, char const *all, char const *names, uint8_t *place)
{
    int count = 0, times = 0;
    for (int n = tsr_next_name_(&names); n > 0; names += n, n = tsr_next_name_(&names)) {
        int const at = tsr_name_place_(all, names, n, &times);
        if (s->why.status)
            return 0;
        if (times != 1)
            s->why = tsr_because(times == 0 ? TSR_NAME : TSR_NAME_TWICE, s->count, count, times, 0);
        else if (count == TSR_MAX_DIMS)
            s->why = tsr_because(TSR_DIMS, s->count, count + 1, TSR_MAX_DIMS, 0);
        else
            place[count++] = (uint8_t)at;
    }
    return (uint8_t)count;
}

TSR_OP void tsr_add_link(tsr_links *s, tsr_coord_transform transform, char const *lower, char const *upper)
{
    if (!s->why.status && s->count == TSR_MAX_DIMS)
        s->why = tsr_because(TSR_DIMS, s->count, s->count + 1, TSR_MAX_DIMS, 0);
    if (s->why.status)
        return;
    tsr_link *const l = &s->link[s->count];
    l->transform = transform;
    l->lows = tsr_link_names_(s, s->lower, lower, l->low);
    l->ups = tsr_link_names_(s, s->upper, upper, l->up);
    ++s->count;
}

TSR_OP tsr_descriptor tsr_link_tensor_descriptor(tsr_descriptor d, tsr_links const *s)
{
    if (!d.graph.why.status && s->why.status)
        d.graph.why = s->why;
    return d.graph.why.status ? d : tsr_transform_tensor_descriptor(d, s->count, s->link);
}

TSR_OP_MEMORY tsr_tensor_view tsr_link_tensor_view(tsr_tensor_view v, tsr_links const *s)
{
    if (!v.descriptor.graph.why.status && s->why.status)
        v.descriptor.graph.why = s->why;
    return v.descriptor.graph.why.status ? v : tsr_transform_tensor_view(v, s->count, s->link);
}

TSR_HEADER_END

#endif
