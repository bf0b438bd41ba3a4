/** What XLA calls a function of ours with: the part of its foreign function interface that the handler reads.
 *
 *  The interface is one of C that XLA keeps: structs carry their size and grow at their end, functions are added at the
 *  end of the table. Only what has stood at its place since version 0.1 is declared.
 *  Source  openxla/xla, xla/ffi/api/c_api.h. */
#ifndef TSR_PYTHON_XLA_FFI_H
#define TSR_PYTHON_XLA_FFI_H

#include <stddef.h>
#include <stdint.h>

typedef struct xla_extension {
    size_t size;
    int type; /* 1: xla_metadata_extension */
    struct xla_extension *next;
} xla_extension;

typedef struct xla_version {
    size_t size;
    xla_extension *extensions;
    int major, minor;
} xla_version;

/** What the handler is asked for once: the version it was written for. */
typedef struct xla_metadata {
    size_t size;
    xla_version version;
    uint32_t traits;
} xla_metadata;

typedef struct xla_metadata_extension {
    xla_extension base;
    xla_metadata *metadata;
} xla_metadata_extension;

typedef struct xla_error xla_error;

typedef struct xla_error_create {
    size_t size;
    xla_extension *extensions;
    char const *message;
    int code; /* 3: an invalid argument, 13: internal */
} xla_error_create;

typedef struct xla_stream_get {
    size_t size;
    xla_extension *extensions;
    void *context, *stream;
} xla_stream_get;

typedef struct xla_api {
    size_t size;
    xla_extension *extensions;
    xla_version version;
    void *internal;
    xla_error *(*create_error)(xla_error_create *);
    void *get_message, *destroy_error, *register_handler;
    xla_error *(*get_stream)(xla_stream_get *);
} xla_api;

/** An array in row-major order. */
typedef struct xla_buffer {
    size_t size;
    xla_extension *extensions;
    int type;
    void *data;
    int64_t rank, *extents;
} xla_buffer;

typedef struct xla_list {
    size_t size;
    xla_extension *extensions;
    int64_t count;
    int *types; /* 1: a buffer */
    void **items;
} xla_list;

typedef struct xla_span {
    char const *text;
    size_t length;
} xla_span;

/** Attributes by name, in the order of their names. */
typedef struct xla_attributes {
    size_t size;
    xla_extension *extensions;
    int64_t count;
    int *types; /* 4: a span */
    xla_span **names;
    void **items;
} xla_attributes;

enum { XLA_METADATA = 1, XLA_BUFFER = 1, XLA_STRING = 4, XLA_EXECUTE = 3 };

typedef struct xla_frame {
    size_t size;
    xla_extension *extensions;
    xla_api const *api;
    void *context;
    int stage;
    xla_list arguments, results;
    xla_attributes attributes;
} xla_frame;

#endif
