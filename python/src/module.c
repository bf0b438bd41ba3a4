/** tessera._tessera: the types, the table of operations, and what touches memory. */
#include "module.h"

bool add(PyObject *module, char const *name, PyObject *x) { return PyObject_SetAttrString(module, name, x) == 0; }

PyMODINIT_FUNC PyInit__tessera(void)
{
    static struct PyModuleDef def = {
        PyModuleDef_HEAD_INIT, "tessera._tessera", NULL, -1, NULL, NULL, NULL, NULL, NULL};
    PyObject *const module = PyModule_Create(&def);
    bool const ok =
        module && value_types(module) && operations(module) && owner_types(module)
        && PyModule_AddStringConstant(module, "__version__", tsr_version()) == 0
        && PyModule_AddFunctions(module, give_functions) == 0 && PyModule_AddFunctions(module, tensor_functions) == 0
        && PyModule_AddFunctions(module, index_functions) == 0 && PyModule_AddFunctions(module, run_functions) == 0
        && PyModule_AddFunctions(module, compute_functions) == 0
        && PyModule_AddFunctions(module, einsum_functions) == 0 && PyModule_AddFunctions(module, sign_functions) == 0
        && PyModule_AddFunctions(module, host_functions) == 0 && PyModule_AddFunctions(module, picture_functions) == 0
        && PyModule_AddFunctions(module, bridge_functions) == 0 && PyModule_AddFunctions(module, cuda_functions) == 0
        && PyModule_AddFunctions(module, dist_functions) == 0
        && PyModule_AddFunctions(module, dist_gpu_functions) == 0
        && PyModule_AddFunctions(module, dist_nccl_functions) == 0
        && PyModule_AddFunctions(module, given_functions) == 0 && PyModule_AddFunctions(module, infer_functions) == 0
        && PyModule_AddFunctions(module, reshard_functions) == 0;
    if (!ok && !PyErr_Occurred()) /* Python's own PyType_FromSpec says nothing where memory has run out */
        PyErr_NoMemory();
    if (!ok)
        Py_XDECREF(module);
    return ok ? module : NULL;
}
