/** Puts headers into one file that stands alone.
 *
 *  usage: amalgamate header OUT.h INCLUDE_DIR SOURCE_DIR HEADER... [-- SOURCE...]
 *         amalgamate text OUT.c INCLUDE_DIR SOURCE_DIR APART HEADER...
 *
 *  Law     OUT.h declares what the HEADERs declare, in the order of their arrows: every header that is reached stands
 *          there once, behind all that it includes, without its own `#include "..."` lines; includes of the system
 *          stay. What only CUDA can read, *.cuh, stands between #if defined(__CUDACC__) and #endif. A list, *_list.h,
 *          has no guard and stands wherever it is included. The bodies of a header, which it includes at its end
 *          where TSR_BODIES is 1, follow it under the same condition, and the SOURCEs, with the headers that they alone
 *          include, stand where C defines TSR_IMPLEMENTATION. Includes of tessera/emulate/ are left out.
 *  Errors  a header that is missing, includes in a circle, or includes a local file below code or under a condition,
 *          where moving it up would change what it means.
 *
 *  OUT.c is for the compiler at run time (src/gpu/header.h): the text of HEADERs as one string; the name and the text
 *  of each header that is reached, of each list, and of APART, as they are in their files, so that a kernel reads
 *  what it includes; and under the name tessera.h the includes of all HEADERs. A name that begins with "tessera/" is
 *  a file below INCLUDE_DIR, any other one below SOURCE_DIR.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS = 512, PATH = 1024, LINE = 4096 };

typedef struct header {
    char name[256];
    char *text;       /* without its local includes */
    char bodies[256]; /* the header with its bodies, "": none */
    bool open;        /* its includes are being read */
    bool source;      /* it stands where C defines TSR_IMPLEMENTATION */
} header;

static char const *include_dir, *source_dir;
static bool in_sources;

static header *all[HEADERS];   /* as they were found */
static header *order[HEADERS]; /* as they are written */
static int found, written;

static char lists[HEADERS][256]; /* the names of lists that were read */
static int list_count;

static void fail(char const *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "amalgamate: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    exit(1);
}

static void *room(size_t bytes)
{
    void *const p = calloc(1, bytes);
    if (!p)
        fail("out of memory");
    return p;
}

static char *read_file(char const *path)
{
    FILE *const file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail("%s cannot be read", path);
    long const size = ftell(file);
    rewind(file);
    char *const text = (char *)room((size_t)(size < 0 ? 0 : size) + 1);
    if (size < 0 || fread(text, 1, (size_t)size, file) != (size_t)size)
        fail("%s cannot be read", path);
    fclose(file);
    return text;
}

/** The first character of a line that is no space, and behind `#` as well: "include <..>" for a directive. */
static char const *directive(char const *line)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return NULL;
    return line + 1 + strspn(line + 1, " \t");
}

static bool begins(char const *text, char const *with) { return strncmp(text, with, strlen(with)) == 0; }

/** Does the line hold anything but a comment? `comment` says whether it begins inside of one. */
static bool is_code(char const *line, size_t length, bool *comment)
{
    bool code = false;
    for (size_t i = 0; i < length; ++i) {
        bool const pair = i + 1 < length;
        if (*comment) {
            if (pair && line[i] == '*' && line[i + 1] == '/') {
                *comment = false;
                ++i;
            }
        } else if (pair && line[i] == '/' && line[i + 1] == '*') {
            *comment = true;
            ++i;
        } else if (pair && line[i] == '/' && line[i + 1] == '/') {
            break;
        } else if (!strchr(" \t\r\n", line[i])) {
            code = true;
        }
    }
    return code;
}

static void visit(char const *name, char const *from);

/** Is it a list, which is read as often as it is included? */
static bool is_list(char const *name)
{
    size_t const n = strlen(name);
    return n > 7 && strcmp(name + n - 7, "_list.h") == 0;
}

static char *read_named(char const *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", begins(name, "tessera/") ? include_dir : source_dir, name);
    return read_file(path);
}

/** Puts a list in the place of the line that includes it; the rest of the text still fits behind it. */
static char *paste(char const *name, header *h, char const *to, size_t rest)
{
    char *const list = read_named(name), *const before = h->text;
    bool known = false;
    for (int i = 0; i < list_count; ++i)
        known = known || strcmp(lists[i], name) == 0;
    if (!known && list_count < HEADERS)
        snprintf(lists[list_count++], sizeof lists[0], "%s", name);
    size_t const had = (size_t)(to - before), more = strlen(list);
    h->text = (char *)room(had + more + rest + 1);
    memcpy(h->text, before, had);
    memcpy(h->text + had, list, more);
    free(before);
    free(list);
    return h->text + had + more;
}

/** Follows the includes of a header and takes their lines out of its text. The guard is the one condition that may
 *  stand above them. */
static void read_header(header *h, char *text)
{
    int conditions = 0, number = 0;
    bool comment = false, code = false, bodies = false;
    char *to = h->text = (char *)room(strlen(text) + 1);
    for (char *line = text, *next; *line; line = next) {
        size_t const length = strcspn(line, "\n");
        char const *const word = comment ? NULL : directive(line);
        bool local = false;
        next = line + length + (line[length] == '\n');
        ++number;
        if (word && begins(word, "if"))
            ++conditions;
        else if (word && begins(word, "endif"))
            --conditions;
        if (word && begins(word, "if TSR_BODIES"))
            local = bodies = true;
        else if (bodies && word && begins(word, "endif")) {
            local = true;
            bodies = false;
        } else if (word && begins(word, "include")) {
            char const *const quote = word + 7 + strspn(word + 7, " \t");
            char const *const end = *quote == '"' ? strchr(quote + 1, '"') : NULL;
            local = *quote == '"';
            if (local) {
                char included[256] = "";
                if (!end || end > line + length || end - quote > 255)
                    fail("%s:%d: no name of a file", h->name, number);
                memcpy(included, quote + 1, (size_t)(end - quote - 1));
                if (bodies)
                    memcpy(h->bodies, included, sizeof included);
                else if (begins(included, "tessera/emulate/"))
                    continue; /* for a host's compiler, which reads the headers themselves */
                else if (is_list(included))
                    to = paste(included, h, to, strlen(next));
                else if (code || conditions > 1)
                    fail("%s:%d: a local include must stand above all code and under no condition", h->name, number);
                else
                    visit(included, h->name);
            }
        }
        bool const holds_code = is_code(line, length, &comment);
        code = code || (holds_code && !word);
        if (!local) {
            memcpy(to, line, (size_t)(next - line));
            to += next - line;
        }
    }
    if (conditions != 0)
        fail("%s: %d conditions are left open", h->name, conditions);
}

static void visit(char const *name, char const *from)
{
    for (int i = 0; i < found; ++i)
        if (strcmp(all[i]->name, name) == 0) {
            if (all[i]->open)
                fail("%s includes itself, by way of %s", name, from);
            return;
        }
    if (found == HEADERS)
        fail("more than %d headers", HEADERS);
    header *const h = (header *)room(sizeof *h);
    snprintf(h->name, sizeof h->name, "%s", name);
    h->open = true;
    h->source = in_sources;
    all[found++] = h;
    char *const text = read_named(name);
    read_header(h, text);
    free(text);
    h->open = false;
    order[written++] = h;
    if (*h->bodies)
        visit(h->bodies, name);
}

static FILE *create(char const *path)
{
    FILE *const file = fopen(path, "wb");
    if (!file)
        fail("%s cannot be written", path);
    return file;
}

static void finish(FILE *file, char const *path)
{
    bool const bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad)
        fail("%s cannot be written", path);
}

/** The condition that a header stands under, or NULL. */
static char const *condition(header const *h)
{
    size_t const n = strlen(h->name);
    if (n > 4 && strcmp(h->name + n - 4, ".cuh") == 0)
        return "#if defined(__CUDACC__)\n";
    if (strstr(h->name, "/body/"))
        return "#if TSR_BODIES\n";
    return h->source ? "#if defined(TSR_IMPLEMENTATION) && !defined(TSR_IMPLEMENTED_) && !defined(__cplusplus)\n"
                     : NULL;
}

/** Calls `put` with every piece of the file. */
static void each_piece(void (*put)(FILE *to, char const *text), FILE *to)
{
    put(to, "/* tessera in one file, made by tools/amalgamate.c of its headers. Apache-2.0. */\n");
    for (int i = 0; i < written; ++i) {
        char const *const under = condition(order[i]);
        put(to, "\n/* ---- ");
        put(to, order[i]->name);
        put(to, " */\n\n");
        if (under)
            put(to, under);
        put(to, order[i]->text);
        if (under)
            put(to, "#endif\n");
    }
    if (in_sources)
        put(to,
            "\n#if defined(TSR_IMPLEMENTATION) && !defined(TSR_IMPLEMENTED_)\n#  define TSR_IMPLEMENTED_\n#endif\n");
}

static void put_plain(FILE *to, char const *text) { fputs(text, to); }

/** The text as string literals, one a line. */
static void put_literal(FILE *to, char const *text)
{
    if (*text)
        fputc('"', to);
    for (; *text; ++text) {
        if (*text == '\n')
            fputs(text[1] ? "\\n\"\n\"" : "\\n", to);
        else if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if (*text == '?') /* no trigraphs */
            fputs("\\?", to);
        else
            fputc(*text, to);
    }
    fputs("\"\n", to);
}

/** What has passed, twice by FNV-1a, from two beginnings. */
static unsigned long long digest[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};

static void put_digest(FILE *to, char const *text)
{
    (void)to;
    for (; *text; ++text)
        for (int i = 0; i < 2; ++i)
            digest[i] = (digest[i] ^ ((unsigned char)*text + (unsigned)i)) * 0x100000001b3u;
}

static void write_header(char const *path)
{
    FILE *const file = create(path);
    each_piece(put_plain, file);
    finish(file, path);
}

/** A row of a table: a name, and the text of its file. */
static void write_row(FILE *file, char const *name)
{
    char *const text = read_named(name);
    fprintf(file, "    {\"%s\",\n", name);
    put_literal(file, text);
    put_digest(NULL, name);
    put_digest(NULL, text);
    fputs("    },\n", file);
    free(text);
}

/** `held` of the headers are in the one text; those behind are rows only. */
static void write_source(char const *path, int held, int roots, char **root)
{
    FILE *const file = create(path);
    int const all_written = written;
    fputs("/* made by tools/amalgamate.c */\n"
          "#if defined(__GNUC__)\n"
          "#  pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
          "#endif\n\n"
          "#include \"gpu/header.h\"\n\n"
          "char const tsr_gpu_header_text_[] =\n",
          file);
    written = held;
    each_piece(put_literal, file);
    written = all_written;
    fputs(";\n\ngpu_header const tsr_gpu_headers_[] = {\n    {\"tessera.h\",\n", file);
    for (int i = 0; i < roots; ++i)
        fprintf(file, "\"#include \\\"%s\\\"\\n\"\n", root[i]);
    fputs("    },\n", file);
    for (int i = 0; i < written; ++i)
        write_row(file, order[i]->name);
    for (int i = 0; i < list_count; ++i)
        write_row(file, lists[i]);
    fprintf(file, "    {0, 0}};\n\nchar const tsr_gpu_header_digest_[] = \"%016llx%016llx\";\n", digest[0],
            digest[1]);
    finish(file, path);
}

int main(int argc, char **argv)
{
    bool const text = argc > 6 && strcmp(argv[1], "text") == 0;
    if (argc < 6 || (!text && strcmp(argv[1], "header") != 0)) {
        fprintf(stderr, "usage: amalgamate header OUT.h INCLUDE_DIR SOURCE_DIR HEADER... [-- SOURCE...]\n"
                        "       amalgamate text OUT.c INCLUDE_DIR SOURCE_DIR APART HEADER...\n");
        return 2;
    }
    include_dir = argv[3];
    source_dir = argv[4];
    for (int i = text ? 6 : 5; i < argc; ++i) {
        if (strcmp(argv[i], "--") == 0)
            in_sources = true;
        else
            visit(argv[i], "the command line");
    }
    if (text) {
        int const held = written;
        visit(argv[5], "the command line");
        if (written != held + 1)
            fail("%s includes what no other header does", argv[5]);
        write_source(argv[2], held, argc - 6, argv + 6);
    } else {
        write_header(argv[2]);
    }
    for (int i = 0; i < found; ++i) {
        free(all[i]->text);
        free(all[i]);
    }
    return 0;
}
