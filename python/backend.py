"""Builds the package for pip (PEP 517) with what the library is built with: a C compiler, make and CMake; nothing is
downloaded. The module is that of CMake, of the sources around this folder, which an archive of sources has, too."""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
VERSION = re.search(r"project\(tessera VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
NAME = f"tessera-{VERSION}"
METADATA = f"""Metadata-Version: 2.1
Name: tessera
Version: {VERSION}
Summary: Layouts, their algebra and tensors of CuTe, TMA and CK Tile
License-File: LICENSE
Requires-Python: >=3.9
"""
EPOCH = 315532800  # 1980, with which the dates of a zip file begin
PARTS = ["CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake", "include", "src", "python",
         "docs/python.md", "tools/amalgamate.c"]


def _build(folder):
    """The package in folder/python/tessera. What moves and computes has flags of its own; a call of an operation takes as
    long with the rest at -O1, which compiles faster. `pip install -v` shows the progress."""
    options = ["-DTESSERA_COMPONENTS=calc;picture;gpu;reshard", "-DTESSERA_TESTS=OFF", "-DTESSERA_CLI=OFF",
               "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG",
               f"-DPython3_EXECUTABLE={sys.executable}", f"-DPython3_INCLUDE_DIR={sysconfig.get_path('include')}"]
    if shutil.which("ninja"):  # it costs less than make
        options.append("-GNinja")
    made = subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], check=True, text=True, stdout=subprocess.PIPE)
    if "its module is left out" in made.stdout:
        raise SystemExit("tessera: the headers of Python are needed (python3-dev)")
    cores = os.cpu_count() or 1
    print(f"tessera: compiling with {cores} cores, about {max(1, round(1.5 / cores))} min", flush=True)
    build = ["cmake", "--build", folder, "--target", "tessera_python", "--parallel", str(cores)]
    subprocess.run(build, check=True)


def _date():
    """The date of every entry, so that the same sources give the same bytes."""
    return max(EPOCH, int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH)))


def _entry(info):
    """An entry of an archive of sources without its owner, its date and the mask of its maker."""
    if "__pycache__" in info.name:
        return None
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = _date()
    info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
    return info


def _record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory, f"{NAME}.dist-info")
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    platform = re.sub("[-.]", "_", sysconfig.get_platform())
    tag = f"cp39-abi3-{platform}"
    with tempfile.TemporaryDirectory() as folder:
        _build(folder)
        package = pathlib.Path(folder, "python")
        files = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted(package.rglob("*"))
                 if path.is_file() and path.suffix in (".py", ".pyi", ".so", ".typed")}
    for path in sorted((ROOT / "include").rglob("*")):
        if path.is_file():
            files[f"tessera/include/{path.relative_to(ROOT / 'include').as_posix()}"] = path.read_bytes()
    info = f"{NAME}.dist-info"
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tessera\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = "".join(_record(*item) for item in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode()
    name = f"{NAME}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w") as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, time.gmtime(_date())[:6])
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The sources as they stand here, and at their root what makes pip find this file."""
    project = (HERE / "pyproject.toml").read_text().replace('backend-path = ["."]', 'backend-path = ["python"]')
    path = pathlib.Path(sdist_directory, f"{NAME}.tar.gz")
    with open(path, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=_date()) as zipped, \
            tarfile.open(fileobj=zipped, mode="w") as sdist:
        for part in PARTS:
            if (ROOT / part).exists():
                sdist.add(ROOT / part, f"{NAME}/{part}", filter=_entry)
        for name, text in (("pyproject.toml", project), ("PKG-INFO", METADATA)):
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.size = len(text.encode())
            entry.mtime = _date()
            sdist.addfile(entry, io.BytesIO(text.encode()))
    return f"{NAME}.tar.gz"
