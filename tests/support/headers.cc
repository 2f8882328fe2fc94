// This file is empty: it exists to precompile the large headers that the tests share (see
// tests/CMakeLists.txt).
