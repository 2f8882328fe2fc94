# An allocator may be named by one object alone, that of src/mp/alloc.c.
execute_process(COMMAND ${NM} -A -u ${LIBRARY} OUTPUT_VARIABLE undefined RESULT_VARIABLE failed)
if(failed OR NOT undefined MATCHES "memcpy" OR NOT undefined MATCHES "alloc\\.c[^\n]* malloc\n")
  message(FATAL_ERROR "nm does not read ${LIBRARY}")   # these are certainly there: the pattern below can match
endif()
string(REGEX REPLACE "[^\n]*:alloc\\.c[^\n]*\n" "" undefined "${undefined}")
string(REGEX MATCHALL "[^\n]* (malloc|calloc|realloc|free|alloca|strdup|posix_memalign|aligned_alloc|mmap)\n" heap "${undefined}")
if(heap)
  message(FATAL_ERROR "the library allocates: ${heap}")
endif()
