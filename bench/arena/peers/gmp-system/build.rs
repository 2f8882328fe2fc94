//! Links the GMP of the system, or the one that GMP_LIB names.

fn main() {
    println!("cargo:rerun-if-env-changed=GMP_LIB");
    match std::env::var("GMP_LIB").ok() {
        Some(path) if !path.is_empty() => {
            let folder = std::path::Path::new(&path).parent().and_then(|p| p.canonicalize().ok());
            let folder = folder.expect("GMP_LIB must be the full path of a libgmp.so.10");
            println!("cargo:rustc-link-arg={path}");
            println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
        }
        _ => println!("cargo:rustc-link-lib=gmp"),
    }
}
