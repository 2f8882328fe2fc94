//! Builds Tongsuo's static libcrypto from the tongsuo-src package, without the parts no family
//! uses.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=configure.sh");
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    // tongsuo-src lets the interpreter be chosen, which is the only way to pass our own options to
    // Configure.
    unsafe { std::env::set_var("OPENSSL_SRC_PERL", format!("{here}/configure.sh")) };
    let built = tongsuo_src::Build::new().build();
    println!("cargo:rustc-link-search=native={}", built.lib_dir().display());
    println!("cargo:rustc-link-lib=static=crypto");
}
