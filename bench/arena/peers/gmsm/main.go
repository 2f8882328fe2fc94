// The Go library gmsm as a peer of the arena: the C interface of bench/arena/peer/src/abi.rs,
// exported by hand. A batch is one call into Go, so that the cost of the transition is shared by
// all its iterations.
package main

/*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { const uint8_t *at; size_t len; } arena_bytes;
typedef struct {
    const char *family, *op, *tier;
    arena_bytes key, public, iv, aad, input;
} arena_job;
*/
import "C"

import (
	"runtime"
	"runtime/debug"
	"strings"
	"unsafe"
)

// job has the inputs of an operation; see docs/arena.md.
type job struct {
	op                          string
	key, public, iv, aad, input []byte
}

// task is one prepared operation. once does it and returns whether it succeeded; output returns the
// result of the last one.
type task struct {
	once   func() bool
	output func() []byte
}

// A handle is an address in C's heap, which Go's garbage collector ignores.
var tasks = map[unsafe.Pointer]*task{}

var (
	name    = C.CString("gmsm")
	version = C.CString(libraryVersion())
	tiers   = C.CString("")
)

func libraryVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if strings.HasSuffix(dep.Path, "/gmsm") {
				return strings.TrimPrefix(dep.Version, "v")
			}
		}
	}
	return "?"
}

//export arena_abi
func arena_abi() C.uint32_t { return 1 }

//export arena_name
func arena_name() *C.char { return name }

//export arena_version
func arena_version() *C.char { return version }

//export arena_tiers
func arena_tiers(family *C.char) *C.char { return tiers }

func bytes(b C.arena_bytes) []byte {
	return C.GoBytes(unsafe.Pointer(b.at), C.int(b.len))
}

//export arena_prepare
func arena_prepare(raw *C.arena_job) unsafe.Pointer {
	j := job{
		C.GoString(raw.op), bytes(raw.key), bytes(raw.public), bytes(raw.iv), bytes(raw.aad),
		bytes(raw.input),
	}
	families := map[string]func(job) *task{"sm2": sm2Task, "sm3": sm3Task, "sm4": sm4Task}
	prepare := families[C.GoString(raw.family)]
	if prepare == nil {
		return nil
	}
	t := prepare(j)
	if t == nil {
		return nil
	}
	handle := C.malloc(1)
	tasks[handle] = t
	return handle
}

//export arena_begin
func arena_begin(handle unsafe.Pointer) {
	// Garbage is collected between batches, which is not timed.
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 64<<20 {
		runtime.GC()
	}
}

//export arena_run
func arena_run(handle unsafe.Pointer, iterations C.uint64_t) C.int {
	once, fine := tasks[handle].once, true
	for ; iterations > 0; iterations-- {
		fine = once() && fine
	}
	if fine {
		return 0
	}
	return 1
}

//export arena_output
func arena_output(handle unsafe.Pointer, out *C.uint8_t, room C.size_t) C.size_t {
	made := tasks[handle].output()
	copy(unsafe.Slice((*byte)(unsafe.Pointer(out)), int(room)), made)
	return C.size_t(len(made))
}

//export arena_free
func arena_free(handle unsafe.Pointer) {
	delete(tasks, handle)
	C.free(handle)
}

func init() { debug.SetGCPercent(-1) }

func main() {}
