/** What calls on a GPU have planned, in a hash table by what their arrays are. */
#ifndef TSR_PYTHON_CUDA_CACHE_H
#define TSR_PYTHON_CUDA_CACHE_H

#include "cuda_trace.h"

enum { CACHE_ARRAYS = 8, CACHE_NUMBERS = 4, CACHE_WORDS = 320, CACHE_ALIGNED = 256 };

/** The arrays of a call, of which those in front are read and one more may be written, its numbers that are no part of
 *  the key but for their kind, and the key. */
typedef struct request {
    tsr_tensor const *own[CACHE_ARRAYS]; /* a tensor of ours; NULL: an array of another library */
    DLTensor array[CACHE_ARRAYS];        /* one of another library */
    uint64_t address[CACHE_ARRAYS];
    PyObject *number[CACHE_NUMBERS]; /* borrowed */
    int arrays, numbers, words, device;
    bool multiplies;
    void *stream;
    uint64_t hash, key[CACHE_WORDS];
} request;

/** A plan, or what makes the result of a call and the plan that writes it. */
typedef struct cache_entry {
    struct cache_entry *next;
    uint64_t hash;
    tsr_gpu_device const *device;
    tsr_gpu_planned_copy *copy; /* its own */
    tsr_gpu_planned_gemm const *product;
    trace *trace;                                  /* its own */
    int64_t low[CACHE_ARRAYS], high[CACHE_ARRAYS]; /* bytes before and behind an array's address */
    struct cache_entry *writes;                    /* the plan of a result that the call makes, */
    PyObject *maker, *arguments;                   /* what is called for it, */
    PyObject *guard;                               /* cuda_guard_of the arrays, or NULL */
    uint64_t place;                                /* and where it begins in CACHE_ALIGNED bytes */
    int words;
    uint64_t key[];
} cache_entry;

/** A request without arrays, and what is put into its key. False: the key is full. */
void cache_begin(request *c);
bool cache_put(request *c, uint64_t word);
bool cache_put_text(request *c, char const *text, size_t length);
bool cache_put_layout(request *c, tsr_layout const *l);

/** Puts the next array into the key, if it is one in the memory of the device of the others. False, without an
 *  exception: it is not. `streams` and the stream are those of cuda_peek. */
bool cache_put_array(request *c, PyObject *x, bool *streams);

/** Reads the arrays of a call of a text, of two that differ that of matrices or that of batches of them; `made` is the
 *  type of a result that it makes, NULL where all are given. False, without an exception: a call that is not kept. */
bool cache_read_request(request *c, char const *const text[2], PyObject *made, PyObject *const *x, int arrays);

/** Reads the result of a call that has made it, as the last array; false: it is in another place. */
bool cache_read_result(request *c, PyObject *y);

cache_entry *cache_find(request const *c);

/** A record of a request that has none, of which all is 0 but the key, the bounds and the guard. NULL: there is no
 *  memory, or the arrays are not plain. */
cache_entry *cache_make(request const *c, PyObject *const *x, tsr_gpu_device const *device);

/** Whether the arrays of a request are plain, as those were that the record was made for. */
bool cache_serves(cache_entry const *k, request const *c, PyObject *const *x);

/** Launches what is kept for a request, or what writes the result that the call makes, at its addresses and with its
 *  numbers. The room is that of a trace, left to the caller. Memory is taken first, which may run other code, and the
 *  record is looked for again. 1: launched, 0: there is no such record, no memory for it, or it is for other numbers,
 *  -1: an exception is set. */
int cache_run(request const *c, bool made, trace_memory *room);

/** Whether one more record would be too many, and all were dropped. */
bool cache_is_full(void);

/** Whether no array reaches into one that is written; the second one is asked before there is a record. */
bool cache_apart(cache_entry const *k, request const *c, int written);
bool cache_will_be_apart(request const *c, int written);

#endif
