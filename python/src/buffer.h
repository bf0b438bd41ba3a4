/** Buffers: the limited API has them from 3.11 on, and then as they were in 3.9 and 3.10, whose interpreters export
 *  the same functions. */
#ifndef TSR_PYTHON_BUFFER_H
#define TSR_PYTHON_BUFFER_H

#include "module.h"

typedef struct buffer {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
} buffer;

enum { BUFFER_WRITABLE = 1, BUFFER_STRIDES = 0x18 };

int PyObject_GetBuffer(PyObject *x, buffer *view, int flags);
void PyBuffer_Release(buffer *view);

#endif
