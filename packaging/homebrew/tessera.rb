class Tessera < Formula
  desc "Layouts, layout algebra and tensors of CuTe in C"
  homepage "@HOMEPAGE@"
  url "@URL@" # the version is that of its name
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "libpng"

  def install
    system "cmake", "-S", ".", "-B", "build", *std_cmake_args,
           "-DBUILD_SHARED_LIBS=ON", "-DTESSERA_TESTS=OFF", "-DTESSERA_PYTHON=OFF"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "((4,2),(2,3))", shell_output("#{bin}/tessera eval 'zipped_divide((8,6):(1,8), (4,2))'")
  end
end
