# cmake -DWANT=caught|clean -DTOOL=memcheck|msan -DPROGRAM="a;b;c" -P must_catch.cmake
# Run a control and demand the verdict: "caught" is the checker's own exit code together with its
# message, so that a crash, a missing checker or a usage error is never taken for a catch.
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
set(memcheck_code 9)
set(memcheck_text "depends on uninitialised value|Use of uninitialised value")
set(msan_code 77)
set(msan_text "MemorySanitizer: use-of-uninitialized-value")
if(WANT STREQUAL "caught")
  if(NOT code STREQUAL "${${TOOL}_code}" OR NOT err MATCHES "${${TOOL}_text}")
    message(FATAL_ERROR "the leak was not caught by ${TOOL}: exit ${code}\n${out}\n${err}")
  endif()
elseif(NOT code STREQUAL "0" OR NOT out MATCHES "unnoticed")
  message(FATAL_ERROR "the clean control did not pass: exit ${code}\n${out}\n${err}")
endif()
message(STATUS "${WANT}, as it must be")
