# What the test suite proves, as a table in the product: made of the fixtures again whenever one of them changes.
file(GLOB proofs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cheats/*.c ${CMAKE_SOURCE_DIR}/tests/honest/*.c
    ${CMAKE_SOURCE_DIR}/tests/cheats_cuda/*.cu ${CMAKE_SOURCE_DIR}/tests/honest_cuda/*.cu
    ${CMAKE_SOURCE_DIR}/tests/scripted/*.c)
list(APPEND proofs ${CMAKE_SOURCE_DIR}/tests/cheats/UNPROVEN)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/made/proofs.c
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/made
    COMMAND awk -f ${CMAKE_SOURCE_DIR}/cmake/proofs.awk ${proofs} > ${CMAKE_BINARY_DIR}/made/proofs.c
    DEPENDS ${proofs} ${CMAKE_SOURCE_DIR}/cmake/proofs.awk VERBATIM)
add_custom_target(proofs DEPENDS ${CMAKE_BINARY_DIR}/made/proofs.c)
target_sources(checks PRIVATE ${CMAKE_BINARY_DIR}/made/proofs.c)
add_dependencies(checks proofs)
