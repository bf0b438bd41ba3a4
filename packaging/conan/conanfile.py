from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class Tessera(ConanFile):
    name = "tessera"
    version = "@VERSION@"
    license = "Apache-2.0"
    homepage = "@HOMEPAGE@"
    description = "Layouts, layout algebra and tensors of CuTe in C"
    topics = ("layouts", "tensors", "cute", "cuda")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "tools": [True, False]}
    default_options = {"shared": False, "tools": False}
    languages = "C"

    def requirements(self):
        if self.options.tools:
            self.requires("libpng/[>=1.6 <2]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TESSERA_TESTS"] = False
        toolchain.cache_variables["TESSERA_PYTHON"] = False
        toolchain.cache_variables["TESSERA_CLI"] = bool(self.options.tools)
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_MPI"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, f"{self.package_folder}/licenses")
        CMake(self).install()
        rmdir(self, f"{self.package_folder}/lib/cmake")
        rmdir(self, f"{self.package_folder}/lib/pkgconfig")
        rmdir(self, f"{self.package_folder}/share")

    def package_info(self):
        self.cpp_info.libs = ["tessera"]
        self.cpp_info.set_property("cmake_target_name", "tessera::tessera")
        self.cpp_info.set_property("cmake_target_aliases", ["tessera::headers"])
        if self.options.shared:
            self.cpp_info.defines = ["TSR_SHARED"]
        elif self.settings.os == "Linux":
            self.cpp_info.system_libs = ["dl", "pthread"]
