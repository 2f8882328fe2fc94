include!("../wolfssl/build.inc");

fn main() {
    build(&[
        "WC_MLDSA_CACHE_MATRIX_A",
        "WC_MLDSA_CACHE_PRIV_VECTORS",
        "WC_MLDSA_CACHE_PUB_VECTORS",
    ]);
}
