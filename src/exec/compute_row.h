/* What an instruction set computes by vector loops of the compiler: updates, and the passes of exec/normalize.h. The
 * file that includes this says ROW(name): name_avx512, .. */

__attribute__((flatten)) void ROW(engine_update)(tsr_update const *u, tsr_converter convert, tsr_dtype to_type,
                                                 void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_update_run_(u, convert, to_type, to, from_type, from, n);
}

__attribute__((flatten)) void ROW(engine_normalize)(int pass, tsr_normal_lines_ p, tsr_normal_state_ *s,
                                                    tsr_normal_room_ *out)
{
    tsr_normal_pass_(pass, p, s, out);
}
