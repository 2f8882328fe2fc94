/* The end of what level_begin.h opened. */
#if TY_CAT(TY_PORTABLE_, TY_LEVEL)
#elif defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#undef TY_PUSH
#undef TY_PRAGMA
#undef TY_K
#undef TY_TARGET
#undef TY_LEVEL
