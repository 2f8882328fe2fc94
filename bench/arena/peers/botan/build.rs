//! Builds Botan's static library out of the botan-src package, cut down to what the arena measures.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=configure");
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let path = std::env::var("PATH").expect("there is a PATH");
    // botan-src runs `python3 configure.py` with options of its own; ours come in through a
    // stand-in.
    unsafe { std::env::set_var("PATH", format!("{here}/configure:{path}")) };
    let (built, _) = botan_src::build();
    println!("cargo:rustc-link-search=native={built}");
    println!("cargo:rustc-link-lib=static=botan-3");
    println!("cargo:rustc-link-lib=stdc++");
}
