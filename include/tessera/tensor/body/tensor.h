/** The bodies of tensor/tensor.h. */
#ifndef TSR_TENSOR_BODY_TENSOR_H
#define TSR_TENSOR_BODY_TENSOR_H

#include "tessera/tensor/tensor.h"
#include "tessera/tensor/body/reach.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tensor tsr_make_counting_tensor(tsr_layout l)
{
    tsr_tuple const zero = tsr_coprofile_of(l, tsr_unit());
    bool const counts = zero.status || tsr_is_leaf(&zero);
    return tsr_make_tensor_of(tsr_engine_of_(counts ? TSR_COUNTING : TSR_COORDINATES, zero), l);
}

TSR_OP tsr_tensor tsr_make_identity_tensor(tsr_tuple shape)
{
    return tsr_make_counting_tensor(tsr_make_identity_layout(shape));
}

TSR_OP tsr_layout tsr_tensor_layout(tsr_tensor t)
{
    return t.engine.at.status ? tsr_invalid_layout(t.engine.at) : t.layout;
}

TSR_OP tsr_tuple tsr_tensor_at(tsr_tensor t, tsr_tuple coord)
{
    tsr_engine const e = tsr_engine_add(t.engine, tsr_layout_at(tsr_tensor_layout(t), coord));
    return !e.at.status && e.kind == TSR_POINTER ? tsr_bad_tuple(TSR_NOT_READ, 0, 0, 0, 0) : e.at;
}

/** The engine of a part of t into r, with the bounds of t; r has a plain layout without modes. */
TSR_LOCAL void tsr_begin_part_(tsr_tensor *r, tsr_tensor const *t)
{
    r->engine = t->engine;
    tsr_bound_(&r->engine, &t->layout);
    tsr_begin_(&r->layout);
}

/** Another layout over the memory of a tensor. */
TSR_LOCAL tsr_tensor tsr_with_layout_(tsr_tensor t, tsr_layout l)
{
    tsr_bound_(&t.engine, &t.layout);
    t.layout = l;
    return t;
}

/** Copies t to r where t or a coordinate is invalid, and says why. */
TSR_LOCAL bool tsr_no_part_at_(tsr_tensor *r, tsr_tensor const *t, tsr_tuple const *coord)
{
    if (!coord->status && !t->engine.at.status)
        return false;
    *r = *t;
    if (coord->status)
        r->engine.at = *coord;
    return true;
}

TSR_LOCAL void tsr_slice_tensor_(tsr_tensor *r, tsr_tuple const *coord, tsr_tensor const *t)
{
    tsr_tuple offset TSR_SCRATCH;
    if (tsr_no_part_at_(r, t, coord))
        return;
    tsr_begin_tuple_(&offset);
    tsr_begin_part_(r, t);
    tsr_put_slice_(&r->layout, &offset, coord, &t->layout);
    if (!r->layout.shape.status)
        tsr_engine_move_(&r->engine, &offset);
}

TSR_OP tsr_tensor tsr_tensor_slice(tsr_tuple coord, tsr_tensor t)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_slice_tensor_(&r, &coord, &t);
    return r;
}

TSR_OP tsr_tensor tsr_tensor_dice(tsr_tuple coord, tsr_tensor t)
{
    if (coord.status)
        t.engine.at = coord;
    return t.engine.at.status ? t : tsr_with_layout_(t, tsr_layout_dice(coord, t.layout));
}

TSR_OP tsr_tensor tsr_tensor_domain_offset(tsr_tuple coord, tsr_tensor t)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_tuple offset TSR_SCRATCH;
    if (tsr_no_part_at_(&r, &t, &coord))
        return r;
    tsr_begin_tuple_(&offset);
    tsr_begin_part_(&r, &t);
    tsr_put_domain_offset_(&r.layout, &offset, &coord, &t.layout);
    if (!r.layout.shape.status)
        tsr_engine_move_(&r.engine, &offset);
    return r;
}

TSR_OP tsr_tensor tsr_recast(tsr_tensor t, tsr_dtype type)
{
    if (t.engine.at.status)
        return t;
    if (t.engine.kind != TSR_POINTER || tsr_dtype_bits(type) == 0
        || (t.engine.bit != 0 && tsr_dtype_bits(type) >= 8)) {
        t.engine.at = tsr_bad_tuple(TSR_TYPE, 0, 0, 0, 0);
        return t;
    }
    t = tsr_with_layout_(t, tsr_recast_whole_(t.layout, t.engine.type, type));
    t.engine.type = type;
    return t;
}

TSR_OP tsr_tuple tsr_tensor_size_of(tsr_tensor t, tsr_tuple path) { return tsr_size_of(tsr_tensor_layout(t), path); }

TSR_OP tsr_tuple tsr_tensor_rank_of(tsr_tensor t, tsr_tuple path) { return tsr_rank_of(tsr_tensor_layout(t), path); }

TSR_OP tsr_tuple tsr_tensor_depth_of(tsr_tensor t, tsr_tuple path)
{
    return tsr_depth_of(tsr_tensor_layout(t), path);
}

TSR_OP tsr_tensor tsr_tensor_mode(tsr_tensor t, tsr_tuple path)
{
    tsr_tensor r TSR_SCRATCH;
    tsr_begin_part_(&r, &t);
    tsr_put_layout_of_(&r.layout, &t.layout, &path);
    return r;
}

TSR_OP tsr_tuple tsr_tensor_shape_of(tsr_tensor t, tsr_tuple path)
{
    return tsr_shape_of(tsr_tensor_layout(t), path);
}

TSR_OP tsr_tensor tsr_tensor_flatten(tsr_tensor t) { return tsr_with_layout_(t, tsr_layout_flatten(t.layout)); }

TSR_OP tsr_tensor tsr_tensor_coalesce(tsr_tensor t) { return tsr_with_layout_(t, tsr_layout_coalesce(t.layout)); }

TSR_OP tsr_tensor tsr_tensor_coalesce_by(tsr_tensor t, tsr_tuple profile)
{
    return tsr_with_layout_(t, tsr_coalesce_by(t.layout, profile));
}

TSR_OP tsr_tensor tsr_tensor_filter(tsr_tensor t) { return tsr_with_layout_(t, tsr_filter(t.layout)); }

TSR_OP tsr_tensor tsr_tensor_filter_zeros(tsr_tensor t)
{
    return tsr_with_layout_(t, tsr_layout_filter_zeros(t.layout));
}

TSR_OP tsr_tensor tsr_group_modes(tsr_tensor t, int64_t b, int64_t e)
{
    return tsr_with_layout_(t, tsr_layout_group(t.layout, b, e));
}

TSR_OP tsr_tensor tsr_tensor_take(tsr_tensor t, int64_t b, int64_t e)
{
    return tsr_with_layout_(t, tsr_layout_take(t.layout, b, e));
}

/* Each operation by a tiler; in C also by what the macros choose by type (core/by.h). */
#define TSR_TENSOR_BY_(name)                                           \
  TSR_OP tsr_tensor tsr_tensor_##name##_by(tsr_tensor t, tsr_tiler by) \
  {                                                                    \
    tsr_tensor r TSR_SCRATCH;                                          \
    tsr_begin_part_(&r, &t);                                           \
    tsr_##name##_into_(&r.layout, &t.layout, &by.by);                  \
    return r;                                                          \
  }
TSR_BY_BOTH_(TSR_TENSOR_BY_)
#undef TSR_TENSOR_BY_

#ifndef __cplusplus
#  define TSR_TENSOR_BY_(name)                                                    \
    TSR_OP tsr_tensor tsr_tensor_##name##_by_layout_(tsr_tensor t, tsr_layout by) \
    {                                                                             \
      tsr_tensor r TSR_SCRATCH;                                                   \
      tsr_begin_part_(&r, &t);                                                    \
      tsr_##name##_into_(&r.layout, &t.layout, &by);                              \
      return r;                                                                   \
    }                                                                             \
    TSR_OP tsr_tensor tsr_tensor_##name##_by_tuple_(tsr_tensor t, tsr_tuple by)   \
    {                                                                             \
      tsr_tensor r TSR_SCRATCH;                                                   \
      tsr_begin_part_(&r, &t);                                                    \
      tsr_put_by_tuple_(&r.layout, tsr_##name##_into_, &t.layout, &by);           \
      return r;                                                                   \
    }                                                                             \
    TSR_OP tsr_tensor tsr_tensor_##name##_by_int_(tsr_tensor t, int64_t by)       \
    {                                                                             \
      return tsr_tensor_##name##_by_tuple_(t, tsr_int(by));                       \
    }
TSR_BY_BOTH_(TSR_TENSOR_BY_)
#  undef TSR_TENSOR_BY_
#endif

TSR_HEADER_END

#endif
