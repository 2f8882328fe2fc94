//! A peer of the arena: a shared object that prepares one operation at a time and repeats it.
//!
//! Every peer is loaded with `RTLD_LOCAL`, so that libraries which define the same symbols (three
//! of them are kinds of OpenSSL) do not clash. Peers export one small C interface to the runner,
//! [`abi`]. A peer written in Rust implements [`Peer`] and invokes `arena_peer::export!(ItsType)`;
//! a peer in another language exports the same nine functions by hand (`peers/gmsm` does it in Go).

pub mod abi;
pub mod der;
pub mod integers;
pub mod mldsa;

/// The modulus of SM2's field, big-endian.
#[rustfmt::skip]
pub const SM2_P: [u8; 32] = [
    0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
];

/// The inputs of one operation; docs/arena.md describes the fields for each operation.
pub struct Job<'a> {
    pub family: &'a str,
    pub op: &'a str,
    /// The tier to use, one of those that [`Peer::tiers`] returned.
    pub tier: &'a str,
    pub key: &'a [u8],
    /// A public key, `04 || x || y`, or one for each message.
    pub public: &'a [u8],
    pub iv: &'a [u8],
    pub aad: &'a [u8],
    pub input: &'a [u8],
}

impl Job<'_> {
    /// `"family/op"`, which is what a peer matches on.
    pub fn name(&self) -> String {
        format!("{}/{}", self.family, self.op)
    }
}

pub trait Peer {
    /// The name in the tables, in lower case.
    const NAME: &'static str;

    /// The version of the library that is loaded.
    fn version() -> String;

    /// The tiers to measure separately. Most libraries choose for themselves and have one, without
    /// a name.
    fn tiers(_family: &str) -> Vec<String> {
        vec![String::new()]
    }

    /// Everything up to the message: keys expanded, objects allocated. `None` if the library cannot
    /// do it.
    fn prepare(job: &Job) -> Option<Task>;
}

/// One prepared operation, ready to be repeated.
pub struct Task(Box<dyn Body>);

impl Task {
    /// `once` does the whole operation once and returns whether it succeeded; `output` returns the
    /// result of the last one.
    pub fn new<S, F, G>(state: S, once: F, output: G) -> Task
    where
        S: 'static,
        F: Fn(&mut S) -> bool + 'static,
        G: Fn(&mut S) -> Vec<u8> + 'static,
    {
        Task::with_begin(state, |_| (), once, output)
    }

    /// As [`Task::new`], with a step that runs before every batch and is not timed.
    pub fn with_begin<S, B, F, G>(state: S, begin: B, once: F, output: G) -> Task
    where
        S: 'static,
        B: Fn(&mut S) + 'static,
        F: Fn(&mut S) -> bool + 'static,
        G: Fn(&mut S) -> Vec<u8> + 'static,
    {
        Task(Box::new(Parts { state, begin, once, output }))
    }

    /// As [`Task::with_begin`], for operations so short that the peer provides the loop: `times`
    /// repeats the operation the given number of times.
    pub fn looped<S, B, F, G>(state: S, begin: B, times: F, output: G) -> Task
    where
        S: 'static,
        B: Fn(&mut S) + 'static,
        F: Fn(&mut S, u64) -> bool + 'static,
        G: Fn(&mut S) -> Vec<u8> + 'static,
    {
        Task(Box::new(Loop { state, begin, times, output }))
    }
}

trait Body {
    fn begin(&mut self);
    fn run(&mut self, iterations: u64) -> bool;
    fn output(&mut self) -> Vec<u8>;
}

struct Parts<S, B, F, G> {
    state: S,
    begin: B,
    once: F,
    output: G,
}

impl<S, B: Fn(&mut S), F: Fn(&mut S) -> bool, G: Fn(&mut S) -> Vec<u8>> Body for Parts<S, B, F, G> {
    fn begin(&mut self) {
        (self.begin)(&mut self.state);
    }

    // The loop is compiled together with `once`, so an iteration costs no indirect call.
    fn run(&mut self, iterations: u64) -> bool {
        let mut fine = true;
        for _ in 0..iterations {
            fine &= (self.once)(&mut self.state);
        }
        fine
    }

    fn output(&mut self) -> Vec<u8> {
        (self.output)(&mut self.state)
    }
}

struct Loop<S, B, F, G> {
    state: S,
    begin: B,
    times: F,
    output: G,
}

impl<S, B: Fn(&mut S), F: Fn(&mut S, u64) -> bool, G: Fn(&mut S) -> Vec<u8>> Body
    for Loop<S, B, F, G>
{
    fn begin(&mut self) {
        (self.begin)(&mut self.state);
    }

    fn run(&mut self, iterations: u64) -> bool {
        (self.times)(&mut self.state, iterations)
    }

    fn output(&mut self) -> Vec<u8> {
        (self.output)(&mut self.state)
    }
}
