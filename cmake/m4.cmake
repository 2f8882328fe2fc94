# Cortex-M4 without an operating system: everything except key, mp and os. Programs run on QEMU's
# mps2-an386 board.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TONGYU_M4_FLOAT)
set(TONGYU_M4_FLOAT soft CACHE STRING
  "soft: a Cortex-M4; hard: a Cortex-M4F, whose FPU registers pass arguments")
set(flags "-mcpu=cortex-m4 -mthumb -DTY_TIER=m4 -ffreestanding -ffunction-sections -fdata-sections")
if(TONGYU_M4_FLOAT STREQUAL "hard")
  string(APPEND flags " -mfloat-abi=hard -mfpu=fpv4-sp-d16")
elseif(NOT TONGYU_M4_FLOAT STREQUAL "soft")
  message(FATAL_ERROR "TONGYU_M4_FLOAT is soft or hard, not '${TONGYU_M4_FLOAT}'")
endif()
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_ASM_FLAGS_INIT "${flags}")
set(CMAKE_CROSSCOMPILING_EMULATOR
    "qemu-system-arm;-M;mps2-an386;-nographic;-semihosting-config;enable=on,target=native;-kernel")
