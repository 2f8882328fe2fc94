# Only the object of src/mp/alloc.c may refer to an allocator.
execute_process(COMMAND ${NM} -A -u ${LIBRARY} OUTPUT_VARIABLE undefined RESULT_VARIABLE failed)
if(failed OR NOT undefined MATCHES "memcpy" OR NOT undefined MATCHES "alloc\\.c[^\n]* malloc\n")
  # both are certainly referred to: without them the pattern below could not match either
  message(FATAL_ERROR "nm does not read ${LIBRARY}")
endif()
string(REGEX REPLACE "[^\n]*:alloc\\.c[^\n]*\n" "" undefined "${undefined}")
set(names "malloc|calloc|realloc|free|alloca|strdup|posix_memalign|aligned_alloc|mmap")
string(REGEX MATCHALL "[^\n]* (${names})\n" heap "${undefined}")
if(heap)
  message(FATAL_ERROR "the library allocates: ${heap}")
endif()
