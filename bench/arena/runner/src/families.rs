//! What is measured: families, their operations and sizes, and the bytes that every library gets.

mod mldsa;

/// How the arena makes sure, before timing, that a library computes the right thing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Proof {
    /// The bytes must be those that most libraries give.
    Same,
    /// The same, for input that carries a tag; a wrong tag must be refused.
    SameOrRefuse,
    /// Must accept a signature of another library, if one signs, and refuse a wrong one.
    Accepts,
    /// At least half of the contenders that verify must accept what this one signs.
    Signs,
    /// At least half of the contenders that decrypt must get the message back.
    Encrypts,
    /// The two halves must match: what the private one signs must verify with the public one.
    Pairs,
}

/// How the costs of an operation's messages are combined.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pick {
    Mean,
    Least,
    Median,
}

#[derive(Clone, Copy)]
pub struct Op {
    pub name: &'static str,
    pub title: &'static str,
    pub proof: Proof,
    /// The operation whose output is this one's input.
    pub from: Option<&'static str>,
    /// Bytes per message, if not the family's.
    pub sizes: Option<&'static [usize]>,
    /// Different messages, measured separately, `together` at a time; the cost is their mean.
    pub messages: usize,
    /// Messages per call.
    pub together: usize,
    /// The operation that is measured instead of this one in libraries that do not have it: for one
    /// message at a time, or with another kind of key.
    pub or: Option<&'static str>,
    /// Not measured: picked from the costs of another operation's messages.
    pub picked: Option<(&'static str, Pick)>,
}

impl Op {
    /// The operation's name for peers: signing with CCM is sealing an empty message, and the length
    /// of a message is not part of the name.
    pub fn peer_name(&self) -> &'static str {
        if self.name == "ccm-sign" {
            "ccm-seal"
        } else {
            self.name.strip_suffix("-4k").unwrap_or(self.name)
        }
    }

    pub const fn over(mut self, messages: usize) -> Op {
        self.messages = messages;
        self
    }

    /// n messages in turn, in one call to the peer; the cost is their mean.
    pub const fn turns(mut self, n: usize) -> Op {
        (self.messages, self.together) = (n, n);
        self
    }

    pub const fn together(mut self, n: usize, or: &'static str) -> Op {
        self.together = n;
        self.or(or)
    }

    const fn or(mut self, or: &'static str) -> Op {
        self.or = Some(or);
        self
    }

    const fn picks(mut self, of: &'static str, pick: Pick) -> Op {
        self.picked = Some((of, pick));
        self
    }

    /// The name of another operation, on the same curve where names begin with one.
    pub fn sibling(&self, other: &str) -> String {
        self.name.split_once('/').map_or(other.into(), |(curve, _)| format!("{curve}/{other}"))
    }

    const fn at(mut self, sizes: &'static [usize]) -> Op {
        self.sizes = Some(sizes);
        self
    }
}

pub struct Family {
    pub name: &'static str,
    /// The family's name for peers.
    pub peer_name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub ops: &'static [Op],
    /// Bytes per message; [0] where an operation has no size.
    pub sizes: &'static [usize],
}

impl Family {
    pub fn sizes_of(&self, op: &Op) -> &'static [usize] {
        op.sizes.unwrap_or(self.sizes)
    }

    pub fn op(&self, name: &str) -> Option<&'static Op> {
        self.ops.iter().find(|o| o.name == name)
    }

    /// The position of an operation in the tables.
    pub fn rank(&self, op: &str) -> usize {
        self.ops.iter().position(|o| o.name == op).unwrap_or(self.ops.len())
    }
}

pub fn find(name: &str) -> Option<&'static Family> {
    ALL.iter().chain([&WIKI]).find(|f| f.name == name)
}

pub const fn op(name: &'static str, title: &'static str, proof: Proof) -> Op {
    Op {
        name,
        title,
        proof,
        from: None,
        sizes: None,
        messages: 1,
        together: 1,
        or: None,
        picked: None,
    }
}

pub const fn op_from(
    name: &'static str, title: &'static str, proof: Proof, from: &'static str,
) -> Op {
    let mut op = op(name, title, proof);
    op.from = Some(from);
    op
}

/// The sizes of 16 messages together: of 16, 64, 256 bytes, 1 KB, 8 KB each.
const SIXTEEN: &[usize] = &[256, 1 << 10, 4 << 10, 16 << 10, 128 << 10];

pub static ALL: &[Family] = &[
    Family {
        name: "sm4",
        peer_name: "sm4",
        title: "SM4",
        about: "The block cipher of GB/T 32907. For every message the IV is set and the message \
                processed; keys are expanded beforehand. GCM, CCM, OCB and GCM-SIV have a 12-byte \
                nonce, 13 bytes of additional data and a 16-byte tag. The size of 16 messages at \
                once is that of all together.",
        sizes: &[16, 64, 256, 1 << 10, 8 << 10, 16 << 10, 1 << 20],
        ops: &[
            op("ecb-enc", "ECB encrypt", Proof::Same),
            op("ecb-dec", "ECB decrypt", Proof::Same),
            op("cbc-enc", "CBC encrypt", Proof::Same),
            op("cbc-dec", "CBC decrypt", Proof::Same),
            op("cfb-enc", "CFB encrypt", Proof::Same),
            op("cfb-dec", "CFB decrypt", Proof::Same),
            op("ofb", "OFB", Proof::Same),
            op("ctr", "CTR", Proof::Same),
            op("gcm-seal", "GCM seal", Proof::Same),
            op_from("gcm-open", "GCM open", Proof::SameOrRefuse, "gcm-seal"),
            op("ccm-seal", "CCM seal", Proof::Same),
            op_from("ccm-open", "CCM open", Proof::SameOrRefuse, "ccm-seal"),
            op("xts-enc", "XTS encrypt (IEEE 1619)", Proof::Same),
            op("xts-gb-enc", "XTS encrypt (GB/T 17964)", Proof::Same),
            op("cmac", "CMAC", Proof::Same),
            op("gmac", "GMAC", Proof::Same),
            op("ocb-seal", "OCB seal", Proof::Same),
            op("gcm-siv-seal", "GCM-SIV seal", Proof::Same),
            op("hctr-enc", "HCTR encrypt", Proof::Same),
            op("x16-init", "Set up 16 keys", Proof::Same).at(&[256]),
            op("x16-cbc-enc", "CBC encrypt, 16 messages, a key each", Proof::Same).at(SIXTEEN),
            op("x16-ecb-enc", "ECB encrypt, 16 messages, a key each", Proof::Same).at(SIXTEEN),
            op("x16-ctr", "CTR, 16 messages, a key each", Proof::Same).at(SIXTEEN),
            op("x16-xts-enc", "XTS (IEEE), 16 messages, a key each", Proof::Same).at(SIXTEEN),
            op("x16-gcm-seal", "GCM seal, 16 messages, a key each", Proof::Same).at(SIXTEEN),
        ],
    },
    Family {
        name: "sm3",
        peer_name: "sm3",
        title: "SM3",
        about: "The hash of GB/T 32905. HMAC has its key set beforehand; PBKDF2 derives 32 bytes \
                in 1000 iterations.",
        sizes: &[64, 256, 1 << 10, 8 << 10, 16 << 10, 1 << 20],
        ops: &[
            op("hash", "Hash", Proof::Same),
            op("hash-x16", "Hash, one of 16 at once", Proof::Same)
                .over(16)
                .together(16, "hash")
                .at(&[64, 256, 1 << 10, 8 << 10]),
            op("hmac", "HMAC-SM3", Proof::Same),
            op("pbkdf2-1000", "PBKDF2, 1000 iterations", Proof::Same).at(&[0]),
        ],
    },
    Family {
        name: "sm2",
        peer_name: "sm2",
        title: "SM2",
        about: "The curve of GB/T 32918. Keys are parsed beforehand; signatures are made and \
                checked with the digest given; each library draws from its own random generator. \
                The cost of several at once is given per operation; libraries without such a call \
                do one after the other.",
        sizes: &[0],
        ops: &[
            op("keygen", "Generate a key", Proof::Pairs),
            op("keygen-batch", "Generate a key, one of 32 at once", Proof::Pairs)
                .over(32)
                .together(32, "keygen"),
            op("keygen-batch8", "Generate a key, one of 8 at once", Proof::Pairs)
                .over(8)
                .together(8, "keygen"),
            op("sign", "Sign, digest given", Proof::Signs),
            op("sign-batch", "Sign, one of 32 at once", Proof::Signs).over(32).together(32, "sign"),
            op("sign-batch8", "Sign, one of 8 at once", Proof::Signs).over(8).together(8, "sign"),
            op_from("verify", "Verify, digest given", Proof::Accepts, "sign"),
            op_from("verify-batch", "Verify, one of 32, keys differ", Proof::Accepts, "sign")
                .over(32)
                .together(32, "verify"),
            op_from("verify-batch8", "Verify, one of 8, keys differ", Proof::Accepts, "sign")
                .over(8)
                .together(8, "verify"),
            op_from("verify-batch-key", "Verify, one of 32, same key", Proof::Accepts, "sign")
                .over(32)
                .together(32, "verify"),
            op_from("verify-cached", "Verify, precomputed key", Proof::Accepts, "sign")
                .or("verify"),
            op("sign-msg", "Sign 32 bytes, with their ID", Proof::Signs),
            op("sign-msg-batch8", "Sign 32 bytes, with their ID, one of 8", Proof::Signs)
                .over(8)
                .together(8, "sign-msg"),
            op_from("verify-msg", "Verify 32 bytes, with their ID", Proof::Accepts, "sign-msg"),
            op_from(
                "verify-msg-batch8",
                "Verify 32 bytes, with their ID, one of 8, keys differ",
                Proof::Accepts,
                "sign-msg",
            )
            .over(8)
            .together(8, "verify-msg"),
            op("ecdh", "ECDH", Proof::Same),
            op("ecdh-batch8", "ECDH, one of 8 at once", Proof::Same).over(8).together(8, "ecdh"),
            op("encrypt-32", "Encrypt 32 bytes", Proof::Encrypts),
            op("encrypt-32-batch8", "Encrypt 32 bytes, one of 8 at once", Proof::Encrypts)
                .over(8)
                .together(8, "encrypt-32"),
            op_from("decrypt-32", "Decrypt 32 bytes", Proof::Same, "encrypt-32"),
            op_from("decrypt-32-batch8", "Decrypt 32 bytes, one of 8", Proof::Same, "encrypt-32")
                .over(8)
                .together(8, "decrypt-32"),
            op("field-mul", "A product mod p, dependent", Proof::Same),
            op("field-mul-many", "A product mod p, independent", Proof::Same).or("field-mul"),
            op("field-inv", "An inverse mod p", Proof::Same),
        ],
    },
    mldsa::FAMILY,
    Family {
        name: "ec2m",
        peer_name: "ec2m",
        title: "Binary curves",
        about: "The curves of SEC 2 over GF(2^m). Points are input and output in affine \
                coordinates; keys are parsed beforehand; signatures are made and checked with a \
                32-byte digest given.",
        sizes: &[0],
        ops: crate::curves::OPS,
    },
    Family {
        name: "mp",
        peer_name: "mp",
        title: "Integers",
        about: "Integers of any size. Operands and results are objects of the library; their \
                conversion is not timed. Precomputation for the modulus is part of every call. \
                Text is decimal.",
        sizes: &[0],
        ops: crate::integers::OPS,
    },
];

/// The benchmarks of gmsm's wiki page on SM4, at its sizes: a stream of "1K" and "8K" is five bytes
/// shorter there. The family has its own table, see wiki.rs, and is not on the page.
pub static WIKI: Family = Family {
    name: "wiki",
    peer_name: "sm4",
    title: "SM4 as in gmsm's wiki",
    about: "",
    sizes: &[1024, 8192],
    ops: &[
        op("cbc-enc", "CBC encrypt", Proof::Same).at(&[1024]),
        op("cbc-dec", "CBC decrypt", Proof::Same).at(&[1024]),
        op("cfb-enc", "CFB encrypt", Proof::Same).at(&[1019]),
        op("cfb-dec", "CFB decrypt", Proof::Same).at(&[1019, 8187]),
        op("ofb", "OFB", Proof::Same).at(&[1019]),
        op("ctr", "CTR", Proof::Same).at(&[1019, 8187]),
        op("gmac", "GCM sign", Proof::Same),
        op("gcm-seal", "GCM seal", Proof::Same),
        op_from("gcm-open", "GCM open", Proof::SameOrRefuse, "gcm-seal"),
        op("ccm-sign", "CCM sign", Proof::Same),
        op("ccm-seal", "CCM seal", Proof::Same),
        op_from("ccm-open", "CCM open", Proof::SameOrRefuse, "ccm-seal"),
        op("xts-enc", "XTS encrypt", Proof::Same).at(&[512, 1024, 4096]),
    ],
};

/// The inputs of one operation, the same for every library.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub key: Vec<u8>,
    pub public: Vec<u8>,
    pub iv: Vec<u8>,
    pub aad: Vec<u8>,
    pub input: Vec<u8>,
}

/// Pseudorandom bytes (xorshift64*), the same in every run.
pub fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    let mut out: Vec<u8> = (0..len.div_ceil(8)).flat_map(|_| next().to_be_bytes()).collect();
    out.truncate(len);
    out
}

/// The identity of whoever signs a message, the one that GM/T 0009 has for all who have no other.
const ID: &[u8] = b"1234567812345678";

/// The key pair of the example in GB/T 32918.5-2017, annex A.
const D: &str = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";
const PUBLIC: &str = "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020\
                      ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13";

/// Eight key pairs, d || 04 || x || y, for signatures with different keys.
const PAIRS: [&str; 8] = [
    "b80c22a43c81d0006b5ba86c790e627f3ef27c8a0ebbf0df86dfc5a75dc6bc4a04\
     6133222cb4b340848cd23c00d135b1a861994141f2b65baf79822df3ed5833f8\
     5a731ab9fbeb3948d822e51a3aae4fc280a8ea614deff8e049e3030875cc54ec",
    "90d9320c6049a8b88ef8dada1551025c11a797a113f70f8f2dbb3927dbec8e0604\
     006f2c60ae1722b36d50734273ab6e546b6463aec40f2ba038632df3d01e7b35\
     c45a9437c0589611d17c9f2e81bad68cd3a717c4dde74538556b9680e336454f",
    "dd8dc94cb431825a44cf65f442de3c8c1266e9d892de991f2fd7732037b9045704\
     6059c68df935771639b29a981062af4972ef097ffb79d9b11ca6fd5a9a8f9904\
     a0ad25369124a489e8387d0cadda6a2e09286db3642417c901dbf0459666b36c",
    "2232e38e6078048eea55d11856fd8aeb0ce51918a06685ebf81d109f74bcce1d04\
     747c4b42d6de887bfe69af612b9500e232bba763f2a857f989636f0afe5e11cb\
     bed673a76cf8084064d2f346611cb86de06d3d168b474394643daf8d3c26b5cd",
    "1573c5b4b262578f89f3d668b21b6967df755edb8a76b6c0f7779de97ff2453a04\
     702876879e0bc5dbc932550d8ebd7d09067ed038700efba90c83321ec9805357\
     2d00958b180e785787e39a1ec9310b119df39da4a1c3df3481dcc07e9e4bf526",
    "1dfbbe21a14a783575b2843ab01d3b9c72ad508d425dcf50290b4b35f1392b3904\
     cd90377c41ea05a8c20e405fb734bb1d5759f5c2978d484977cf5745ed7be94b\
     f9abe1930e7d8ab12d5a16a0e35626a6d2acff71c506dc6653b58057b098b4d5",
    "d2e1e95a4b9a908153cc324e1336b8b7e7bac604f6de33a3cd4ad5a2e892e47304\
     a7ae369ef8f053e6dab59b61c6fcd2afa5d9481c23089fc30d04d3ef50871ff0\
     36166fdf2cf2f9c611fd5905428bf88ae24a1a90b7481aba4b85500682cbe9ab",
    "ccdf4713f34acf1a64a366ad626865989b804be0b870758310a35bfec8ce3bd604\
     a0aee5897b79d23afeea9bd93724e8af83ebdba6ff3fc108f9b353971d0b7652\
     3141af2aa1224c5731afb888966dbc1dd56315c1fd1ae5cf438a9aa4f0d63582",
];

pub fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex"))
        .collect()
}

/// The inputs of message `i` of an operation; `family` is the name for peers. Where the operation
/// takes another's output, `input` is the input of that other, and the caller replaces it.
pub fn inputs(family: &str, op: &str, size: usize, i: usize) -> Inputs {
    if family == mldsa::FAMILY.peer_name {
        return mldsa::inputs(op, i);
    }
    if family == "mp" {
        return crate::integers::inputs(op, i);
    }
    let mut all = Inputs {
        key: bytes(1, 16),
        public: vec![],
        iv: bytes(2, 16),
        aad: vec![],
        input: bytes(3, size),
    };
    match (family, op.split('-').next().unwrap_or(op)) {
        ("sm4", "ccm") if op == "ccm-sign" => {
            (all.iv, all.aad, all.input) = (bytes(4, 12), bytes(5, size), vec![])
        }
        ("sm4", "gcm" | "ccm" | "ocb") => (all.iv, all.aad) = (bytes(4, 12), bytes(5, 13)),
        ("sm4", "gmac") => all.iv = bytes(4, 12),
        ("sm4", "x16") if op == "x16-gcm-seal" => (all.iv, all.aad) = (bytes(4, 12), bytes(5, 13)),
        ("sm4", "x16") if op == "x16-xts-enc" => all.key = bytes(6, 32),
        ("sm4", "xts" | "hctr") => all.key = bytes(6, 32),
        ("sm3", _) => {
            all.key = bytes(7, 32);
            all.input = bytes(if i == 0 { 3 } else { 100 + i as u64 }, size);
        }
        ("ec2m", _) => {
            (all.key, all.public) = crate::curves::pair(op);
            all.input = bytes(8, 32);
        }
        ("sm2", verb) => {
            (all.key, all.public) = (hex(D), hex(PUBLIC));
            if op.contains("-msg") {
                all.iv = ID.to_vec();
            }
            if matches!(op, "verify-batch" | "verify-batch8" | "verify-msg-batch8") {
                let pair = hex(PAIRS[i % PAIRS.len()]);
                (all.key, all.public) = (pair[..32].to_vec(), pair[32..].to_vec());
            }
            all.input = match verb {
                "ecdh" if op == "ecdh-batch8" => hex(PAIRS[i % PAIRS.len()])[32..].to_vec(),
                "ecdh" => hex(PUBLIC),
                // below p, whose first 31 bits are ones
                "field" => [bytes(10, 32), bytes(11, 32)].concat(),
                _ => bytes(if i == 0 { 8 } else { 100 + i as u64 }, 32),
            };
        }
        _ => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sources_exist() {
        for family in ALL.iter().chain([&WIKI]) {
            for (i, op) in family.ops.iter().enumerate() {
                assert_eq!(family.rank(op.name), i);
                assert!(op.from.is_none_or(|from| family.rank(from) < i), "{}", op.name);
                assert!(op.or.is_none_or(|or| family.rank(or) < i), "{}", op.name);
                assert!(op.picked.is_none_or(|(of, _)| family.rank(of) < i), "{}", op.name);
                assert_eq!(op.messages % op.together, 0, "{}", op.name);
            }
        }
    }

    #[test]
    fn inputs_have_their_lengths() {
        let gcm = inputs("sm4", "gcm-seal", 64, 0);
        assert_eq!((gcm.key.len(), gcm.iv.len(), gcm.aad.len(), gcm.input.len()), (16, 12, 13, 64));
        assert_eq!(inputs("sm4", "xts-gb-enc", 16, 0).key.len(), 32);
        let sign = inputs("sm4", "ccm-sign", 64, 0);
        assert_eq!((sign.iv.len(), sign.aad.len(), sign.input.len()), (12, 64, 0));
        let sm2 = inputs("sm2", "ecdh", 0, 0);
        assert_eq!((sm2.key.len(), sm2.public.len(), sm2.input.len()), (32, 65, 65));
        let two = [inputs("sm2", "verify-batch", 0, 0), inputs("sm2", "verify-batch", 0, 1)];
        assert_eq!((two[0].public.len(), two[0].input.len()), (65, 32));
        assert!(two[0].public != two[1].public && two[0].input != two[1].input);
        assert_eq!(inputs("sm2", "sign-batch", 0, 1).public, sm2.public);
        let [a, b] = [0, 1].map(|i| inputs("sm2", "verify-msg-batch8", 0, i));
        assert!(a.public != b.public && a.iv == b.iv && a.iv == ID);
        assert_ne!(inputs("sm3", "hash-x16", 64, 0).input, inputs("sm3", "hash-x16", 64, 1).input);
        let curve = inputs("ec2m", "sect163r1/kp", 0, 0);
        assert_eq!((curve.key.len(), curve.public.len(), curve.input.len()), (21, 43, 32));
        assert_eq!(bytes(3, 11)[..8], bytes(3, 8)[..]);
        assert_ne!(bytes(3, 8), bytes(4, 8));
        let (short, long) = (inputs("mldsa", "65-sign", 0, 3), inputs("mldsa", "65-sign-4k", 0, 4));
        assert_eq!((short.input.len(), long.input.len()), (32, 4096));
        assert_ne!(short.input[..32], long.input[..32]);
    }
}
