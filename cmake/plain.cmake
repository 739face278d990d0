# aisp-plain: runs and judges variants without confining them, for compute-sanitizer, profilers and first looks (plain/main.c).
# It opens the driver's library itself, as the judge and the workers do, each in a process of its own.
file(GLOB plain_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/plain/*.c)
aisp_view(plain plain core backends/cuda/driver.h)
add_executable(aisp-plain ${plain_sources} ${CMAKE_SOURCE_DIR}/backends/cuda/driver.c)
target_include_directories(aisp-plain PRIVATE ${CMAKE_BINARY_DIR}/view/plain)
target_link_libraries(aisp-plain PRIVATE core aisp_flags)
