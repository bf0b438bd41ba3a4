/** The files of a folder of compiled kernels. */
#ifndef TESTS_GPU_FOLDER_H
#define TESTS_GPU_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

/** The files of the folder: their number, and the path of the last. */
static inline int list(char const *folder, char *path, size_t size)
{
    int count = 0;
    DIR *const d = opendir(folder);
    for (struct dirent const *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.')
            count += snprintf(path, size, "%s/%s", folder, e->d_name) < (int)size;
    if (d)
        closedir(d);
    return count;
}

static inline void empty_folder(char const *folder)
{
    char path[4096];
    while (list(folder, path, sizeof path) > 0 && unlink(path) == 0)
        continue;
}

#endif
