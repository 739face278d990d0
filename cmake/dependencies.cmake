# What aisp is linked with; each earned its place (DEPENDENCIES in CONTRIBUTING.md). tools/install-deps installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.37)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(LIBPQ IMPORTED_TARGET libpq)    # optional: the shared store
find_path(HPDF_INCLUDE hpdf.h)                     # optional: reports as PDF (libharu, which has no pkg-config file)
find_library(HPDF_LIBRARY hpdf)
if(NOT HPDF_INCLUDE OR NOT HPDF_LIBRARY)
    message(STATUS "No libhpdf (Debian: libhpdf-dev): built without `bench report --format pdf`")
endif()
pkg_check_modules(NCURSES REQUIRED IMPORTED_TARGET ncursesw)
# optional: the doors that are HTTP servers. The header alone of the one: it is loaded when a server starts (doors/microhttpd.h).
pkg_check_modules(MICROHTTPD libmicrohttpd>=0.9.75)
pkg_check_modules(ZLIB IMPORTED_TARGET zlib)
if(NOT MICROHTTPD_FOUND OR NOT ZLIB_FOUND)
    message(STATUS "No libmicrohttpd or zlib (Debian: libmicrohttpd-dev, zlib1g-dev): built without `dashboard serve` and `mcp serve --http`")
endif()

# Peers are optional: a peer_<library> variant is built where its library is.
find_library(OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread)
find_library(DNNL_LIBRARY dnnl)
find_library(SLEEF_LIBRARY sleef)
