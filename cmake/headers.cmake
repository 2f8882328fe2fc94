# Makes the host's headers of CLI11 and nlohmann/json available to a cross compiler that must not
# see the other headers of /usr/include.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(package CLI nlohmann)
  find_path(where_${package} ${package} PATHS /usr/include /usr/local/include
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT where_${package})
    message(FATAL_ERROR "no headers of ${package}: run tools/setup.sh check")
  endif()
  file(CREATE_LINK ${where_${package}}/${package} ${headers}/${package} SYMBOLIC)
endforeach()
foreach(target CLI11::CLI11 nlohmann_json::nlohmann_json)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE ${headers})
endforeach()
include_directories(SYSTEM ${headers})
