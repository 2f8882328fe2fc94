//! Builds Botan's static library from the botan-src package, reduced to what the arena measures.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=configure");
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let path = std::env::var("PATH").expect("there is a PATH");
    // botan-src runs `python3 configure.py` with its own options; a wrapper named python3 adds
    // ours.
    unsafe { std::env::set_var("PATH", format!("{here}/configure:{path}")) };
    let (built, _) = botan_src::build();
    println!("cargo:rustc-link-search=native={built}");
    println!("cargo:rustc-link-lib=static=botan-3");
    println!("cargo:rustc-link-lib=stdc++");
}
