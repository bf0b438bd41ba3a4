from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Tessera(CMakePackage):
    """Layouts, layout algebra and tensors of CuTe in C."""

    homepage = "@HOMEPAGE@"
    url = "@URL@"

    license("Apache-2.0")

    version("@VERSION@", sha256="@SHA256@")

    variant("shared", default=True, description="Build a shared library")
    variant("png", default=True, description="Draw pictures as PNG")
    variant("mpi", default=False, description="Redistribute over MPI")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("libpng", when="+png")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define("TESSERA_TESTS", False),
            self.define("TESSERA_PYTHON", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_PNG", not self.spec.satisfies("+png")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", not self.spec.satisfies("+mpi")),
        ]
