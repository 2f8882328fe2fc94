//! Loading of peers, each with private symbols, and a safe interface to the tasks they prepare.

use crate::families::Inputs;
use anyhow::{bail, Context, Result};
use arena_peer::abi;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{c_void, CStr, CString};
use std::path::Path;

pub struct Peer {
    pub name: String,
    pub version: String,
    tiers: abi::Tiers,
    prepare: abi::Prepare,
    calls: Calls,
}

#[derive(Clone, Copy)]
struct Calls {
    begin: abi::Begin,
    run: abi::Run,
    output: abi::Output,
    free: abi::Free,
}

/// A library at one of its tiers.
#[derive(Clone)]
pub struct Contender<'a> {
    pub peer: &'a Peer,
    pub tier: String,
}

impl std::fmt::Display for Contender<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.peer.name)?;
        if self.tier.is_empty() {
            Ok(())
        } else {
            write!(f, " {}", self.tier)
        }
    }
}

/// Loads every shared object of the folder; one that does not load is reported and omitted.
pub fn load_all(folder: &Path, only: &[String]) -> Result<Vec<Peer>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "so"))
        .collect();
    paths.sort();
    let mut peers = vec![];
    for path in paths {
        match load(&path) {
            Ok(peer) if only.is_empty() || only.contains(&peer.name) => peers.push(peer),
            Ok(_) => {}
            Err(error) => eprintln!("arena: omitting {}: {error:#}", path.display()),
        }
    }
    Ok(peers)
}

pub fn load(path: &Path) -> Result<Peer> {
    // Never unloaded: libraries with threads or exit handlers do not survive it.
    let library: &'static Library =
        Box::leak(Box::new(unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL)? }));
    fn get<F: Copy>(library: &Library, name: &CStr) -> Result<F> {
        Ok(unsafe { *library.get::<F>(name.to_bytes_with_nul())? })
    }
    let number = unsafe { get::<abi::Abi>(library, c"arena_abi")?() };
    if number != abi::VERSION {
        bail!("has version {number} of the interface, not {}", abi::VERSION);
    }
    let text = |s| unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned();
    Ok(Peer {
        name: text(unsafe { get::<abi::Name>(library, c"arena_name")?() }),
        version: text(unsafe { get::<abi::Version>(library, c"arena_version")?() }),
        tiers: get(library, c"arena_tiers")?,
        prepare: get(library, c"arena_prepare")?,
        calls: Calls {
            begin: get(library, c"arena_begin")?,
            run: get(library, c"arena_run")?,
            output: get(library, c"arena_output")?,
            free: get(library, c"arena_free")?,
        },
    })
}

impl Peer {
    pub fn contenders(&self, family: &str) -> Vec<Contender<'_>> {
        let family = CString::new(family).expect("no zero byte in a family's name");
        let tiers =
            unsafe { CStr::from_ptr((self.tiers)(family.as_ptr())) }.to_string_lossy().into_owned();
        tiers.split(',').map(|tier| Contender { peer: self, tier: tier.into() }).collect()
    }
}

impl Contender<'_> {
    /// None where the library does not have the operation.
    pub fn prepare(&self, family: &str, op: &str, inputs: &Inputs) -> Option<Task> {
        let c = |s: &str| CString::new(s).expect("no zero byte in a name");
        let (family, op, tier) = (c(family), c(op), c(&self.tier));
        let job = abi::RawJob {
            family: family.as_ptr(),
            op: op.as_ptr(),
            tier: tier.as_ptr(),
            key: inputs.key.as_slice().into(),
            public: inputs.public.as_slice().into(),
            iv: inputs.iv.as_slice().into(),
            aad: inputs.aad.as_slice().into(),
            input: inputs.input.as_slice().into(),
        };
        let at = unsafe { (self.peer.prepare)(&job) };
        // not then_some: a Task frees its handle
        (!at.is_null()).then(|| Task { at, calls: self.peer.calls })
    }
}

/// One prepared operation of one library.
pub struct Task {
    at: *mut c_void,
    calls: Calls,
}

impl Task {
    pub fn begin(&mut self) {
        unsafe { (self.calls.begin)(self.at) }
    }

    #[inline]
    pub fn run(&mut self, iterations: u64) -> bool {
        unsafe { (self.calls.run)(self.at, iterations) == 0 }
    }

    pub fn output(&mut self) -> Vec<u8> {
        let mut out = vec![0; 4096];
        loop {
            let len = unsafe { (self.calls.output)(self.at, out.as_mut_ptr(), out.len()) };
            if len <= out.len() {
                out.truncate(len);
                return out;
            }
            out.resize(len, 0);
        }
    }

    /// Runs the operation once; its output, or None if the library returned an error.
    pub fn once(&mut self) -> Option<Vec<u8>> {
        self.begin();
        self.run(1).then(|| self.output())
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        unsafe { (self.calls.free)(self.at) }
    }
}
