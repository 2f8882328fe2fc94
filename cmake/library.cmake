# The library, static and shared. Each source file has its own conditions, so all files are
# compiled, with the same flags.
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/src/*/*.c ${PROJECT_SOURCE_DIR}/src/*/*.S)
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tongyu/*.h)
if(TONGYU_FREESTANDING)
  list(FILTER sources EXCLUDE REGEX "^src/(key|mp|os)/")
endif()
list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)

add_library(tongyu-objects OBJECT ${sources})
target_include_directories(tongyu-objects
  PRIVATE ${PROJECT_SOURCE_DIR}/src PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_options(tongyu-objects PRIVATE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wvla
    -Wno-type-limits>   # length limits that only 64-bit machines can reach
  $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${TONGYU_WERROR}>>:-Werror>
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
if(NOT TONGYU_FREESTANDING)
  target_compile_options(tongyu-objects PRIVATE -fstack-protector-strong)
  set_target_properties(tongyu-objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT WIN32 AND NOT APPLE)
    # CET and BTI: every object has the note, because one without it disables the protection for the
    # whole process (tools/symbols.py checks). -fstack-clash-protection makes a frame larger than a
    # page touch each page, so it cannot skip the guard page.
    set(flags -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
      list(APPEND flags -fcf-protection=full)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
      list(APPEND flags -mbranch-protection=bti)
    endif()
    include(CheckCCompilerFlag)
    set(CMAKE_REQUIRED_FLAGS -Werror)   # Clang only warns of flags that it does not use
    foreach(flag ${flags})
      string(MAKE_C_IDENTIFIER "TONGYU_HAS${flag}" has)
      check_c_compiler_flag(${flag} ${has})
      if(${has})
        target_compile_options(tongyu-objects PRIVATE $<$<COMPILE_LANGUAGE:C>:${flag}>)
      endif()
    endforeach()
    unset(CMAKE_REQUIRED_FLAGS)
  endif()
endif()
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")   # src/base/levels.h says why
  target_compile_options(tongyu-objects PRIVATE -Wa,-muse-unaligned-vector-move)
  target_compile_definitions(tongyu-objects PRIVATE TY_UNALIGNED_VECTOR_MOVE)
endif()
if(TONGYU_CT STREQUAL "memcheck")
  target_compile_definitions(tongyu-objects PUBLIC TY_CT_MEMCHECK)
elseif(TONGYU_CT STREQUAL "msan")
  target_compile_definitions(tongyu-objects PUBLIC TY_CT_MSAN)
endif()

add_library(tongyu STATIC $<TARGET_OBJECTS:tongyu-objects>)
if(TONGYU_FREESTANDING)
  target_include_directories(tongyu PUBLIC ${PROJECT_SOURCE_DIR}/include)
  return()
endif()
add_library(tongyu-shared SHARED $<TARGET_OBJECTS:tongyu-objects>)
# for src/os/threads_posix.c; part of the C library itself since glibc 2.34
find_package(Threads REQUIRED)
target_link_libraries(tongyu-shared PRIVATE Threads::Threads)
target_link_libraries(tongyu PUBLIC Threads::Threads)
if(WIN32)
  set(system bcrypt)
  if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND system ssp)   # -fstack-protector-strong
  endif()
  target_link_libraries(tongyu-shared PRIVATE ${system})
  target_link_libraries(tongyu PUBLIC ${system})
endif()
foreach(lib tongyu tongyu-shared)
  target_include_directories(${lib} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(tongyu-shared PROPERTIES
  OUTPUT_NAME tongyu VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  # until 1.0 a minor version may change the interface

  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/tongyu.map)
if(WIN32)   # the exported names are listed in a .def file, generated from the headers
  set(exports EXPORTS)
  foreach(header ${public_headers})
    file(STRINGS ${header} lines REGEX "^TY_API")
    foreach(line ${lines})
      string(REGEX MATCH "ty_[a-z0-9_]+\\(" name "${line}")
      string(REPLACE "(" "" name "${name}")
      string(APPEND exports "\n    ${name}")
    endforeach()
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/tongyu.def "${exports}\n")
  target_sources(tongyu-shared PRIVATE ${CMAKE_BINARY_DIR}/tongyu.def)
elseif(NOT APPLE)   # where hidden visibility is enough
  target_link_options(tongyu-shared PRIVATE
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/tongyu.map -Wl,-z,relro,-z,now)
endif()
set_target_properties(tongyu PROPERTIES EXPORT_NAME static)
set_target_properties(tongyu-shared PROPERTIES EXPORT_NAME tongyu)
add_library(tongyu::tongyu ALIAS tongyu-shared)
add_library(tongyu::static ALIAS tongyu)

# Installed files: headers, both libraries, pkg-config's file, and that of find_package(tongyu).
install(TARGETS tongyu tongyu-shared EXPORT tongyu-targets)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tongyu)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tongyu/compat
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tongyu)
install(EXPORT tongyu-targets NAMESPACE tongyu:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tongyu)
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/tongyu-config.cmake.in tongyu-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tongyu)
write_basic_package_version_file(tongyu-config-version.cmake COMPATIBILITY SameMinorVersion)
# relative, so that the installation may be moved
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(folder LIBDIR INCLUDEDIR)   # unless it is absolute, as distributions may have it
  set(pc_${folder} ${CMAKE_INSTALL_${folder}})
  if(NOT IS_ABSOLUTE "${pc_${folder}}")
    set(pc_${folder} "\${prefix}/${pc_${folder}}")
  endif()
endforeach()
set(pc_system "")
foreach(library IN LISTS system)
  string(APPEND pc_system " -l${library}")
endforeach()
configure_file(cmake/tongyu.pc.in tongyu.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tongyu-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tongyu-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tongyu)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tongyu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
