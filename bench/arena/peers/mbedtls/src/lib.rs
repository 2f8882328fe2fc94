//! The Mbed TLS that is installed: mbedtls_mpi.

use arena_peer::integers::{name, task, Number, Work};
use arena_peer::{Job, Peer, Task};
use libloading::Library;
use std::ffi::{c_char, c_int, CStr};
use std::ptr::null_mut;
use std::sync::OnceLock;

struct Mbedtls;

/// Room for an `mbedtls_mpi` of any version
#[repr(C)]
struct Mpi([u64; 4]);

type P = *mut Mpi;
type One = unsafe extern "C" fn(P);
type Three = unsafe extern "C" fn(P, P, P) -> c_int;
type Div = unsafe extern "C" fn(P, P, P, P) -> c_int;
type Exp = unsafe extern "C" fn(P, P, P, P, P) -> c_int;
type FromBytes = unsafe extern "C" fn(P, *const u8, usize) -> c_int;
type ToBytes = unsafe extern "C" fn(P, *mut u8, usize) -> c_int;
type Size = unsafe extern "C" fn(P) -> usize;
type ToRadix = unsafe extern "C" fn(P, c_int, *mut u8, usize, *mut usize) -> c_int;
type FromRadix = unsafe extern "C" fn(P, c_int, *const c_char) -> c_int;

struct Api {
    init: One,
    free: One,
    from: FromBytes,
    to: ToBytes,
    size: Size,
    mul: Three,
    div: Div,
    exp_mod: Exp,
    inv_mod: Three,
    gcd: Three,
    to_radix: ToRadix,
    from_radix: FromRadix,
    version: String,
}

fn open() -> Option<Api> {
    let names = ["libmbedcrypto.so.7", "libmbedcrypto.so.16", "libmbedcrypto.so"];
    // Never closed: the functions live as long as the arena.
    let lib: &'static Library =
        Box::leak(Box::new(names.iter().find_map(|n| unsafe { Library::new(n) }.ok())?));
    let mut version = [0u8; 32];
    if let Some(get) = find::<unsafe extern "C" fn(*mut u8)>(lib, c"mbedtls_version_get_string") {
        unsafe { get(version.as_mut_ptr()) };
    }
    Some(Api {
        init: find(lib, c"mbedtls_mpi_init")?,
        free: find(lib, c"mbedtls_mpi_free")?,
        from: find(lib, c"mbedtls_mpi_read_binary")?,
        to: find(lib, c"mbedtls_mpi_write_binary")?,
        size: find(lib, c"mbedtls_mpi_size")?,
        mul: find(lib, c"mbedtls_mpi_mul_mpi")?,
        div: find(lib, c"mbedtls_mpi_div_mpi")?,
        exp_mod: find(lib, c"mbedtls_mpi_exp_mod")?,
        inv_mod: find(lib, c"mbedtls_mpi_inv_mod")?,
        gcd: find(lib, c"mbedtls_mpi_gcd")?,
        to_radix: find(lib, c"mbedtls_mpi_write_string")?,
        from_radix: find(lib, c"mbedtls_mpi_read_string")?,
        version: String::from_utf8_lossy(&version).trim_end_matches('\0').to_string(),
    })
}

fn find<F: Copy>(lib: &'static Library, name: &CStr) -> Option<F> {
    unsafe { lib.get::<F>(name.to_bytes_with_nul()).ok().map(|f| *f) }
}

fn api() -> Option<&'static Api> {
    static API: OnceLock<Option<Api>> = OnceLock::new();
    API.get_or_init(open).as_ref()
}

struct Int(&'static Api, Mpi);

impl Number for Int {
    fn new(big_endian: &[u8]) -> Int {
        let api = api().expect("opened by prepare");
        let mut z = Mpi([0; 4]);
        unsafe {
            (api.init)(&mut z);
            (api.from)(&mut z, big_endian.as_ptr(), big_endian.len());
        }
        Int(api, z)
    }

    fn bytes(&mut self) -> Vec<u8> {
        unsafe {
            let mut out = vec![0; (self.0.size)(&mut self.1)];
            (self.0.to)(&mut self.1, out.as_mut_ptr(), out.len());
            out
        }
    }
}

impl Drop for Int {
    fn drop(&mut self) {
        unsafe { (self.0.free)(&mut self.1) }
    }
}

type W = Work<Int, &'static Api>;

impl Peer for Mbedtls {
    const NAME: &'static str = "mbedtls";

    fn version() -> String {
        api().map_or("?".into(), |a| a.version.clone())
    }

    fn prepare(job: &Job) -> Option<Task> {
        let api = api()?;
        let (op, bits) = name(job)?;
        if bits > 4096 {
            return None; // they take seconds
        }
        let once: fn(&mut W) -> bool = match op {
            "mul" => |w| unsafe { (w.ctx.mul)(&mut w.z.1, &mut w.x.1, &mut w.y.1) == 0 },
            "sqr" => |w| unsafe { (w.ctx.mul)(&mut w.z.1, &mut w.x.1, &mut w.x.1) == 0 },
            "div" => {
                |w| unsafe { (w.ctx.div)(&mut w.z.1, &mut w.r.1, &mut w.x.1, &mut w.m.1) == 0 }
            }
            // The same function for both: its windows do not depend on the exponent.
            "expmod" | "expmod-ct" => |w| unsafe {
                (w.ctx.exp_mod)(&mut w.z.1, &mut w.x.1, &mut w.y.1, &mut w.m.1, null_mut()) == 0
            },
            "invmod" => |w| unsafe { (w.ctx.inv_mod)(&mut w.z.1, &mut w.x.1, &mut w.m.1) == 0 },
            "gcd" => |w| unsafe { (w.ctx.gcd)(&mut w.z.1, &mut w.x.1, &mut w.y.1) == 0 },
            "to-radix" => |w| unsafe {
                let mut len = 0;
                (w.ctx.to_radix)(&mut w.x.1, 10, w.text.as_mut_ptr(), w.text.len(), &mut len) == 0
            },
            "from-radix" => {
                |w| unsafe { (w.ctx.from_radix)(&mut w.z.1, 10, w.text.as_ptr().cast()) == 0 }
            }
            _ => return None,
        };
        task(job, api, once)
    }
}

arena_peer::export!(Mbedtls);
