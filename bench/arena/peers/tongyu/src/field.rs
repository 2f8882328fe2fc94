//! The field of SM2, in the implementation that the tier uses (bench/sm2_field).

use crate::api::Api;
use crate::DEFAULT;
use arena_peer::{Job, Task};
use libloading::Library;
use std::ffi::{c_char, c_void, CStr};
use std::sync::OnceLock;

type Words = [u32; 8];
type Loop = unsafe extern "C" fn(x: *mut u32, y: *const u32, n: usize);

/// `ty_sm2_field_way`
#[repr(C)]
struct Way {
    name: *const c_char,
    what: *const c_char,
    word: u32,
    montgomery: u32,
    variable_time: u32,
    reduce: *const c_void,
    reduce_chain: Loop,
    reduce_many: Loop,
    mul_chain: Loop,
    mul_many: Loop,
    inv_chain: Option<unsafe extern "C" fn(x: *mut u32, n: usize)>,
}

type At = unsafe extern "C" fn(usize) -> *const Way;

/// `ty_sm2_field_way_at` of sm2_field.so in the library's folder; older libraries export the
/// function themselves.
fn way_at(api: &Api) -> Option<At> {
    static FIELD: OnceLock<Option<Library>> = OnceLock::new();
    api.find(c"ty_sm2_field_way_at").or_else(|| {
        let open = || {
            unsafe { Library::new(api.path().with_file_name("sm2_field.so")).ok() }
        };
        let field = FIELD.get_or_init(open).as_ref()?;
        unsafe { field.get::<At>(b"ty_sm2_field_way_at\0").ok().map(|f| *f) }
    })
}

/// R^2 = 2^512 mod p, least significant word first: a Montgomery product with it converts to
/// Montgomery form.
const R2: Words = [3, 2, 0xffff_ffff, 2, 1, 1, 2, 4];

struct State {
    way: &'static Way,
    /// The current value; x and y are the inputs. All are in the implementation's domain.
    now: Words,
    x: Words,
    y: Words,
}

impl State {
    fn times(&mut self, f: Loop, n: u64) -> bool {
        unsafe { f(self.now.as_mut_ptr(), self.y.as_ptr(), n as usize) };
        true
    }

    /// `now` as 32 bytes, converted from the implementation's domain
    fn bytes(&self) -> Vec<u8> {
        let mut plain = self.now;
        if self.way.montgomery != 0 {
            let one: Words = [1, 0, 0, 0, 0, 0, 0, 0];
            unsafe { (self.way.mul_chain)(plain.as_mut_ptr(), one.as_ptr(), 1) };
        }
        plain.iter().rev().flat_map(|w| w.to_be_bytes()).collect()
    }
}

fn words(bytes: &[u8], way: &Way) -> Words {
    let mut words: Words =
        std::array::from_fn(|i| u32::from_be_bytes(std::array::from_fn(|j| bytes[28 - 4 * i + j])));
    if way.montgomery != 0 {
        unsafe { (way.mul_chain)(words.as_mut_ptr(), R2.as_ptr(), 1) };
    }
    words
}

pub fn prepare(api: &Api, job: &Job) -> Option<Task> {
    // The default tier uses the field of the strongest of these that the CPU supports.
    let runs = |tier: &&str| {
        api.tier_rows().iter().any(|r| r.family.contains("sm2") && r.tier == **tier && r.runs)
    };
    let tier = match job.tier {
        DEFAULT => ["adx", "neon", "c64", "c"].iter().copied().find(|t| runs(&t))?,
        tier => tier,
    };
    let name = match tier {
        "adx" => "adx64",
        "neon" => "neon64",
        "c64" => "fold64",
        "c" => "fold32",
        _ => return None,
    };
    let at = way_at(api)?;
    let way = (0..).map(|i| unsafe { at(i).as_ref() }).find(|w| {
        w.is_none_or(|w| unsafe { CStr::from_ptr(w.name) }.to_bytes() == name.as_bytes())
    })??;
    let (x, y) = job.input.split_at(32);
    let s = State { way, now: [0; 8], x: words(x, way), y: words(y, way) };
    let begin = |s: &mut State| s.now = s.x;
    let output = |s: &mut State| s.bytes();
    match job.op {
        "field-mul" => Some(Task::looped(s, begin, |s, n| s.times(s.way.mul_chain, n), output)),
        "field-mul-many" => Some(Task::looped(s, begin, |s, n| s.times(s.way.mul_many, n), output)),
        "field-inv" => {
            let f = way.inv_chain?;
            let times = move |s: &mut State, n: u64| {
                unsafe { f(s.now.as_mut_ptr(), n as usize) };
                true
            };
            Some(Task::looped(s, begin, times, output))
        }
        _ => None,
    }
}
