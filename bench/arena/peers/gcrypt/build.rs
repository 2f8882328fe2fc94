//! Links the libgcrypt of the system, or the one that GCRYPT_LIB names.

fn main() {
    println!("cargo:rerun-if-env-changed=GCRYPT_LIB");
    match std::env::var("GCRYPT_LIB").ok() {
        Some(path) if !path.is_empty() => {
            let folder = std::path::Path::new(&path).parent().and_then(|p| p.canonicalize().ok());
            let folder = folder.expect("GCRYPT_LIB must be the full path of a libgcrypt.so.20");
            println!("cargo:rustc-link-arg={path}");
            // libgpg-error is there too
            println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
        }
        _ => println!("cargo:rustc-link-lib=gcrypt"),
    }
}
