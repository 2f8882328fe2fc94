# The OpenSSL provider: tongyu.so, one self-contained file for OpenSSL 3.0 and all later versions.
# To build it only OpenSSL's headers of 3.0 or later are needed; it is not linked with libcrypto.
find_path(OPENSSL_HEADERS openssl/core_dispatch.h)
if(NOT OPENSSL_HEADERS AND TONGYU_PROVIDER)
  message(FATAL_ERROR "TONGYU_PROVIDER: the headers of OpenSSL 3.0 are missing "
    "(apt-get install libssl-dev)")
elseif(NOT OPENSSL_HEADERS)
  message(STATUS "the OpenSSL provider is left out: it needs the headers of OpenSSL 3.0 "
    "(apt-get install libssl-dev)")
  return()
endif()

file(GLOB provider_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/provider/*.c)
add_library(tongyu-provider MODULE ${provider_sources})
target_include_directories(tongyu-provider PRIVATE ${OPENSSL_HEADERS})
target_compile_options(tongyu-provider PRIVATE -Wall -Wextra -Wconversion -Wshadow
  -Wstrict-prototypes -Wvla $<$<BOOL:${TONGYU_WERROR}>:-Werror>
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -fstack-protector-strong)
target_link_libraries(tongyu-provider PRIVATE tongyu)
set_target_properties(tongyu-provider PROPERTIES PREFIX "" OUTPUT_NAME tongyu LINKER_LANGUAGE C
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/provider
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/provider.map)
target_link_options(tongyu-provider PRIVATE
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/provider.map
  -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,relro,-z,now)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CMAKE_C_FLAGS MATCHES "sanitize")
  # names of functions that are not exported take 60 KB
  target_link_options(tongyu-provider PRIVATE -s)
endif()

if(TONGYU_PROVIDER)
  find_program(PKG_CONFIG_PROGRAM pkg-config)
  if(PKG_CONFIG_PROGRAM)
    execute_process(COMMAND ${PKG_CONFIG_PROGRAM} --variable=modulesdir libcrypto
                    OUTPUT_VARIABLE modules OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT modules)
    set(modules ${CMAKE_INSTALL_LIBDIR}/ossl-modules)
  endif()
  set(TONGYU_OPENSSL_MODULES ${modules} CACHE PATH "Where OpenSSL looks for its modules")
  install(TARGETS tongyu-provider LIBRARY DESTINATION ${TONGYU_OPENSSL_MODULES})
endif()
