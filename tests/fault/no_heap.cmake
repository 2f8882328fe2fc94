execute_process(COMMAND ${NM} -u ${LIBRARY} OUTPUT_VARIABLE undefined RESULT_VARIABLE failed)
if(failed OR NOT undefined MATCHES "memcpy")
  message(FATAL_ERROR "nm does not read ${LIBRARY}")   # memcpy is certainly there: the pattern below can match
endif()
string(REGEX MATCHALL "[^\n]* (malloc|calloc|realloc|free|alloca|strdup|posix_memalign|aligned_alloc|mmap)\n" heap "${undefined}")
if(heap)
  message(FATAL_ERROR "the library allocates: ${heap}")
endif()
