//! The binary curves: the operations of the family ec2m, and the key pair that every library gets
//! on each curve.

use crate::families::{bytes, op, op_from, Op, Proof};

/// The operations of one curve.
macro_rules! of {
    ($($name:literal)*) => {
        &[$(
            op(concat!($name, "/kp"), concat!($name, ", point multiplication"), Proof::Same),
            op(concat!($name, "/kp-fixed"), concat!($name, ", fixed-base multiplication"),
                Proof::Same),
            op(concat!($name, "/sign"), concat!($name, ", ECDSA sign"), Proof::Signs),
            op_from(concat!($name, "/verify"), concat!($name, ", ECDSA verify"), Proof::Accepts,
                concat!($name, "/sign")),
        )*]
    };
}

#[rustfmt::skip]
pub const OPS: &[Op] = of! {
    "sect113r1" "sect113r2" "sect131r1" "sect131r2" "sect163k1" "sect163r1"
    "sect163r2" "sect193r1" "sect193r2" "sect233k1" "sect233r1" "sect239k1"
    "sect283k1" "sect283r1" "sect409k1" "sect409r1" "sect571k1" "sect571r1"
};

/// Name, bits of the order, and the public key for the private key that [`private`] returns.
#[rustfmt::skip]
const PUBLIC: &[(&str, usize, &str)] = &[
    ("sect113r1", 113, "040012f3cf9c3f7f56ac3678b0ffbc5f009eb5e11e6ed7ec09494c9d511246"),
    ("sect113r2", 113, "0401f2666848d3898a460c511858c9eb019b87a9383db020ee6a3a689cb88f"),
    ("sect131r1", 131, "040559d0ed2977b94bcd3e19f70496cb91d0075f458a90d94d38943a301d005f41e74e"),
    ("sect131r2", 131, "04077cf2e6c5618cb4a7bda3fc3b607781f704843c77b79a8371094f527a894d9420ef"),
    ("sect163k1", 163, "04029560bb985293d061a1d060e7a47de69f53f4ff6500c8584c50b618fd4fbc46846c4013d\
                        b87e5728b24"),
    ("sect163r1", 162, "0405fe437b76dde76636418b82d15c49a2e0e0a93e7203456953834d8444fe8300121bf8d45\
                        9d8deb902fb"),
    ("sect163r2", 163, "0403252119a523910fbd9808a42c2f774f833e3559b600a960517994d3d3cf1179fb2db0705\
                        876e4a3606d"),
    ("sect193r1", 193, "0401599695553d1b01381c9f06642d901bce785da0aa37d07dad0187879564afb7d1c6db31c\
                        967eda2a3ac81caba9b54f4854f"),
    ("sect193r2", 193, "04006377920c6e754f0301b635fdf431ea616a7d96283fac252b00f62f41704fef061569977\
                        3d8c8a777e3bab795c861eff5b0"),
    ("sect233k1", 232, "0401189186a1cd6bcef51ce107f6944dcf40f142d85052f72ee928020e09c700f3a6f0f9b87\
                        532f5338f3d10ab5da05f0b71b319e5af88f68d02152618"),
    ("sect233r1", 233, "0400acda4c2ea02405ad0cd140363598dab466454113b379f3179f9d87bf7a00a92cffd3c75\
                        4b70baf20d9c7a3ec553bfa9d5c4889cc47ada5dab9ac6c"),
    ("sect239k1", 238, "04590199dc7ec1acea38f8b116f3dd0f651ff268a78b81bf2744bd1aee7a8b5c6b18686305c\
                        3601b3fc537079c4c9d83e5d667956c6a92a75e4799964c"),
    ("sect283k1", 281, "04041deb2522d630bceeef069a26c2468c7e64e15de130664ee939b832d757b485301506fd0\
                        5b991826a86a4a194cc1fa70dbfca1928fe92f6603aa6fe026a3ecb9f68c20fa223d39c"),
    ("sect283r1", 282, "040634b096946ad9eb9e1b32748728ba37b271c2932fccd5aad963ae34471db70e9e26bbe60\
                        683c942b8fa7708867507441ab2b1a1cb9481719828940e36d3fac4071215fb1f69df31"),
    ("sect409k1", 407, "0401c127872f7def147bc2dc1d9ea3db09c554310fdcfafd50bf058b3dea8e8f52ccbead8cf\
                        fea30c6111028d5048ab9163ed5a73e00901d2c50de009b6709a0717107da599755bcc443f7\
                        a587c7a4171e0ca441054e49be321262c4f93833bc639b9c7204f6e11cac"),
    ("sect409r1", 409, "04003845e0628d3ae53156ad42f462d18ebe7686bb6d316abd04565b6eda74c338659b67e6b\
                        e8ac12d88ea7c4496a1ebc06568d5b700d4b9d98368f180bbe15043c1dc241bb8ee765f6c78\
                        a4b66e8bf6ce2f05283411fe6cb18f0effaf1d212139af7487ac80b784bb"),
    ("sect571k1", 570, "0405fa698c3e5380a7cd60527fda11540361ff310527a7cb8227b2815fd2cb8794b706594cf\
                        d717b80a31dce4117344c0f1eba9338064ef35a61807b0920c9d93b9c67e1e4824a313907a9\
                        db972eb3a385532af13d261f74e4f0318ccc20b25e8eb8ec45b9a84f55b481143edaf6ac66c\
                        cc1d72b8b81e2de8b308f11b341083f8c03ab083f15f9975503e34de890c33e77"),
    ("sect571r1", 570, "04048e52414e7f2397002e6a7be28aded2fe16d27d920f4f9d406c0a4b98ab1ec304ae378ee\
                        c3f96063e54d2baabc0b75c88a4dd02f24577f8c6a40889eb5f7a7cb98a86c565b78d0c0756\
                        aa46c0d67a1287796be7f7ed1df3a3666e1c96069166603755b463f5df4b8f466ec42ffcd2c\
                        02adb6a415fc1fb5855a6abf919c247a6fb14a27e6150fc815941ef923dcd65fa"),
];

/// A private key below 2^(bits - 1), so below the order.
fn private(bits: usize) -> Vec<u8> {
    let mut d = bytes(9, bits.div_ceil(8));
    d[0] &= ((1u32 << ((bits - 1) % 8)) - 1) as u8;
    d
}

/// The key pair on the curve of an operation, "sect233r1/kp".
pub fn pair(op: &str) -> (Vec<u8>, Vec<u8>) {
    let curve = op.split('/').next().unwrap_or(op);
    let (_, bits, public) = PUBLIC.iter().find(|c| c.0 == curve).expect("a curve of the list");
    (private(*bits), crate::families::hex(public))
}
