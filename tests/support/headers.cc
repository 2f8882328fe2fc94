// Nothing: this file exists to compile the large headers that the tests share (see
// tests/CMakeLists.txt).
