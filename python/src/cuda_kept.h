/** What calls on a GPU have planned, in a hash table by what their arrays are. */
#ifndef TSR_PYTHON_CUDA_KEPT_H
#define TSR_PYTHON_CUDA_KEPT_H

#include "cuda_chain.h"

enum { KEPT_ARRAYS = 8, KEPT_NUMBERS = 4, KEPT_WORDS = 320, KEPT_ALIGNED = 256 };

/** The arrays of a call, of which those in front are read and one more may be written, its numbers that are no part of
 *  the key but for their kind, and the key. */
typedef struct request {
    tsr_tensor const *own[KEPT_ARRAYS]; /* a tensor of ours; NULL: an array of another library */
    DLTensor array[KEPT_ARRAYS];        /* one of another library */
    uint64_t address[KEPT_ARRAYS];
    PyObject *number[KEPT_NUMBERS]; /* borrowed */
    int arrays, numbers, words, device;
    bool multiplies;
    void *stream;
    uint64_t hash, key[KEPT_WORDS];
} request;

/** A plan, or what makes the result of a call and the plan that writes it. */
typedef struct kept {
    struct kept *next;
    uint64_t hash;
    tsr_gpu_device const *device;
    tsr_gpu_planned_copy *copy; /* its own */
    tsr_gpu_planned_gemm const *product;
    chain *chain;                                /* its own */
    int64_t low[KEPT_ARRAYS], high[KEPT_ARRAYS]; /* bytes before and behind an array's address */
    struct kept *writes;                         /* the plan of a result that the call makes, */
    PyObject *maker, *arguments;                 /* what is called for it, */
    PyObject *guard;                             /* cuda_guard_of the arrays, or NULL */
    uint64_t place;                              /* and where it begins in KEPT_ALIGNED bytes */
    int words;
    uint64_t key[];
} kept;

/** A request without arrays, and what is put into its key. False: the key is full. */
void kept_begin(request *c);
bool kept_put(request *c, uint64_t word);
bool kept_put_text(request *c, char const *text, size_t length);
bool kept_put_layout(request *c, tsr_layout const *l);

/** Puts the next array into the key, if it is one in the memory of the device of the others. False, without an
 *  exception: it is not. `streams` and the stream are those of cuda_peek. */
bool kept_put_array(request *c, PyObject *x, bool *streams);

/** Reads the arrays of a call of a text, of two that differ that of matrices or that of batches of them; `made` is the
 *  type of a result that it makes, NULL where all are given. False, without an exception: a call that is not kept. */
bool kept_request(request *c, char const *const text[2], PyObject *made, PyObject *const *x, int arrays);

/** Reads the result of a call that has made it, as the last array; false: it is in another place. */
bool kept_result(request *c, PyObject *y);

kept *kept_find(request const *c);

/** A record of a request that has none, of which all is 0 but the key, the bounds and the guard. NULL: there is no
 *  memory, or the arrays are not plain. */
kept *kept_make(request const *c, PyObject *const *x, tsr_gpu_device const *device);

/** Whether the arrays of a request are plain, as those were that the record was made for. */
bool kept_serves(kept const *k, request const *c, PyObject *const *x);

/** Launches what is kept for a request, or what writes the result that the call makes, at its addresses and with its
 *  numbers. The room is that of a chain, left to the caller. Memory is taken first, which may run other code, and the
 *  record is looked for again. 1: launched, 0: there is no such record, no memory for it, or it is for other numbers,
 *  -1: an exception is set. */
int kept_run(request const *c, bool made, chain_room *room);

/** Whether one more record would be too many, and all were dropped. */
bool kept_is_full(void);

/** Whether no array reaches into one that is written; the second one is asked before there is a record. */
bool kept_apart(kept const *k, request const *c, int written);
bool kept_will_be_apart(request const *c, int written);

#endif
