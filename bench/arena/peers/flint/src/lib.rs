//! The FLINT that is installed, or the one that FLINT_LIB names.

use arena_peer::integers::{name, task, Number, Work};
use arena_peer::{Job, Peer, Task};
use libloading::Library;
use std::ffi::{c_char, c_int, CStr};
use std::sync::OnceLock;

struct Flint;

/// `fmpz`: a small number, or a pointer to a large one
type Z = *mut isize;
type Q = *const isize;

struct Api {
    init: unsafe extern "C" fn(Z),
    clear: unsafe extern "C" fn(Z),
    from: unsafe extern "C" fn(Z, *const u64, isize),
    to: unsafe extern "C" fn(*mut u64, isize, Q),
    words: unsafe extern "C" fn(Q) -> isize,
    mul: unsafe extern "C" fn(Z, Q, Q),
    div: unsafe extern "C" fn(Z, Z, Q, Q),
    powm: unsafe extern "C" fn(Z, Q, Q, Q),
    invmod: unsafe extern "C" fn(Z, Q, Q) -> c_int,
    gcd: unsafe extern "C" fn(Z, Q, Q),
    to_radix: unsafe extern "C" fn(*mut u8, c_int, Q) -> *mut c_char,
    from_radix: unsafe extern "C" fn(Z, *const u8, c_int) -> c_int,
    version: String,
}

/// The number in the library's name changes with every release; the newest is tried first.
fn library() -> Option<Library> {
    let named = std::env::var("FLINT_LIB").ok();
    let installed = (13..40).rev().map(|n| format!("libflint.so.{n}"));
    let mut paths: Box<dyn Iterator<Item = String>> = match named {
        Some(path) => Box::new(std::iter::once(path)),
        None => Box::new(std::iter::once("libflint.so".into()).chain(installed)),
    };
    paths.find_map(|path| unsafe { Library::new(path) }.ok())
}

fn open() -> Option<Api> {
    // Never closed: the functions live as long as the arena.
    let lib = Box::leak(Box::new(library()?));
    // a char array, so the symbol is the address of the text
    let version = find::<*const c_char>(lib, c"flint_version")?;
    Some(Api {
        init: find(lib, c"fmpz_init")?,
        clear: find(lib, c"fmpz_clear")?,
        from: find(lib, c"fmpz_set_ui_array")?,
        to: find(lib, c"fmpz_get_ui_array")?,
        words: find(lib, c"fmpz_size")?,
        mul: find(lib, c"fmpz_mul")?,
        div: find(lib, c"fmpz_tdiv_qr")?,
        powm: find(lib, c"fmpz_powm")?,
        invmod: find(lib, c"fmpz_invmod")?,
        gcd: find(lib, c"fmpz_gcd")?,
        to_radix: find(lib, c"fmpz_get_str")?,
        from_radix: find(lib, c"fmpz_set_str")?,
        version: unsafe { CStr::from_ptr(version) }.to_string_lossy().into_owned(),
    })
}

fn find<F: Copy>(lib: &'static Library, name: &CStr) -> Option<F> {
    unsafe { lib.get::<F>(name.to_bytes_with_nul()).ok().map(|f| *f) }
}

fn api() -> Option<&'static Api> {
    static API: OnceLock<Option<Api>> = OnceLock::new();
    API.get_or_init(open).as_ref()
}

struct Fmpz(&'static Api, isize);

impl Number for Fmpz {
    fn new(big_endian: &[u8]) -> Fmpz {
        let api = api().expect("opened by prepare");
        let words: Vec<u64> = big_endian
            .rchunks(8)
            .map(|bytes| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
            .chain([0])
            .collect();
        let mut z = 0;
        unsafe {
            (api.init)(&mut z);
            (api.from)(&mut z, words.as_ptr(), words.len() as isize);
        }
        Fmpz(api, z)
    }

    fn bytes(&mut self) -> Vec<u8> {
        let mut words = vec![0; unsafe { (self.0.words)(&self.1) }.max(1) as usize];
        unsafe { (self.0.to)(words.as_mut_ptr(), words.len() as isize, &self.1) };
        words.iter().rev().flat_map(|word| word.to_be_bytes()).collect()
    }
}

impl Drop for Fmpz {
    fn drop(&mut self) {
        unsafe { (self.0.clear)(&mut self.1) }
    }
}

type W = Work<Fmpz, &'static Api>;

impl Peer for Flint {
    const NAME: &'static str = "flint";

    fn version() -> String {
        api().map_or("?".into(), |a| a.version.clone())
    }

    fn prepare(job: &Job) -> Option<Task> {
        let api = api()?;
        let once: fn(&mut W) -> bool = match name(job)?.0 {
            "mul" => |w| unsafe {
                (w.ctx.mul)(&mut w.z.1, &w.x.1, &w.y.1);
                true
            },
            "sqr" => |w| unsafe {
                (w.ctx.mul)(&mut w.z.1, &w.x.1, &w.x.1);
                true
            },
            "div" => |w| unsafe {
                (w.ctx.div)(&mut w.z.1, &mut w.r.1, &w.x.1, &w.m.1);
                true
            },
            "expmod" => |w| unsafe {
                (w.ctx.powm)(&mut w.z.1, &w.x.1, &w.y.1, &w.m.1);
                true
            },
            "invmod" => |w| unsafe { (w.ctx.invmod)(&mut w.z.1, &w.x.1, &w.m.1) != 0 },
            "gcd" => |w| unsafe {
                (w.ctx.gcd)(&mut w.z.1, &w.x.1, &w.y.1);
                true
            },
            "to-radix" => {
                |w| unsafe { !(w.ctx.to_radix)(w.text.as_mut_ptr(), 10, &w.x.1).is_null() }
            }
            "from-radix" => |w| unsafe { (w.ctx.from_radix)(&mut w.z.1, w.text.as_ptr(), 10) == 0 },
            _ => return None,
        };
        task(job, api, once)
    }
}

arena_peer::export!(Flint);
