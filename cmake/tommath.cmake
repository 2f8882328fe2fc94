# LibTomMath's interface over Tongyu's integers (src/mp): libtommath.so.1 and libtommath.a, both
# self-contained.
file(GLOB tommath_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/tommath/*.c)
set(tommath_needs
  $<FILTER:$<TARGET_OBJECTS:tongyu-objects>,INCLUDE,/src/\(base/|limb/|modn/|mp/|os/|mod/ntt\)>)

add_library(tommath-objects OBJECT ${tommath_sources})
target_include_directories(tommath-objects PRIVATE ${PROJECT_SOURCE_DIR}/src
  PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_compile_options(tommath-objects PRIVATE
  # deprecated functions are defined here
  $<TARGET_PROPERTY:tongyu-objects,COMPILE_OPTIONS> -Wno-deprecated-declarations
  -fno-semantic-interposition)   # calls among our own functions are direct
target_compile_definitions(tommath-objects
  PRIVATE $<TARGET_PROPERTY:tongyu-objects,COMPILE_DEFINITIONS>)
set_target_properties(tommath-objects PROPERTIES POSITION_INDEPENDENT_CODE ON)

add_library(tommath STATIC $<TARGET_OBJECTS:tommath-objects> ${tommath_needs})
set(tommath_libraries tommath)
# a shared library that replaces LibTomMath's for existing programs: soname, version script
if(NOT WIN32 AND NOT APPLE)
  list(APPEND tommath_libraries tommath-shared)
  add_library(tommath-shared SHARED $<TARGET_OBJECTS:tommath-objects> ${tommath_needs})
  set_target_properties(tommath-shared PROPERTIES
    OUTPUT_NAME tommath VERSION 1.3.0 SOVERSION 1
      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/tommath.map)
  target_link_options(tommath-shared PRIVATE
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/tommath.map
      -Wl,-z,relro,-z,now,-Bsymbolic-functions)
endif()
foreach(lib ${tommath_libraries})
  target_include_directories(${lib} INTERFACE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${lib} PRIVATE Threads::Threads ${system})   # set in cmake/library.cmake
  set_target_properties(${lib} PROPERTIES LINKER_LANGUAGE C)
endforeach()

if(TONGYU_TOMMATH)
  configure_file(cmake/libtommath.pc.in libtommath.pc @ONLY)
  install(TARGETS ${tommath_libraries})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libtommath.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
