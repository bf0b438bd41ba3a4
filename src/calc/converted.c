/** The value of a text, whatever it is of: another system, or an expression. */
#include "calc/value.h"
#include "tessera/convert.h"

bool tsr_converted_of(char const *text, unsigned flags, tsr_tuple shape, int64_t bytes, tsr_converted *r,
                      tsr_message *error)
{
    tsr_system const from = tsr_system_of(text);
    if (from < TSR_SYSTEMS)
        return tsr_convert_read(from, text, shape, bytes, r, error);
    error->at = 0;
    error->text[0] = 0;
    r->map = tsr_parse_linear(text, flags, error);
    r->is_map = !error->text[0] && !r->map.why.status;
    if (r->is_map)
        return true;
    r->layout = tsr_parse_layout(text, flags | TSR_TEXT_SHAPES, error);
    if (!error->text[0] && !tsr_ok(r->layout))
        tsr_format_layout(error->text, sizeof error->text, r->layout, flags);
    return !error->text[0];
}
