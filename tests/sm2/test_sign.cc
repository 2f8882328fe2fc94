#include "sm2/sm2_support.hpp"

static Bytes sign_with(const Bytes &e, const ty_sm2_key &key, const Bytes &k)
{
    Bytes sig(64);
    EXPECT_EQ(ty_sm2_sign_with_k(sig.data(), e.data(), &key, k.data()), 1);
    return sig;
}

static Bytes digest(const Bytes &msg, const Bytes &id, const ty_sm2_pub &pub)
{
    Bytes e(32);
    ty_sm3 h;
    EXPECT_EQ(ty_sm2_hash_init(&h, id.data(), id.size(), &pub), TY_OK);
    ty_sm3_update(&h, msg.data(), msg.size());
    ty_sm3_final(e.data(), &h);
    return e;
}

static ty_err verify(const Bytes &sig, const Bytes &msg, const Bytes &id, const ty_sm2_pub &pub)
{
    return ty_sm2_verify(sig.data(), msg.data(), msg.size(), id.data(), id.size(), &pub);
}

static ty_err verify_e(const Bytes &sig, const Bytes &e, const ty_sm2_pub &pub)
{
    return ty_sm2_verify_digest(sig.data(), e.data(), &pub);
}

// GB/T 32918.5-2017, A.2
static const char D[] = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";
static const char K[] = "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21";
static const char Z[] = "b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3";
static const char E[] = "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640";
static const char SIG[] = "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                          "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa";

TEST(Sm2Sign, StandardExample)
{
    const Bytes msg = bytes("message digest");
    each_tier([&] {
        const ty_sm2_key key = key_of(unhex(D));
        Bytes z(32);
        EXPECT_EQ(ty_sm2_z(z.data(), ID.data(), ID.size(), &key.pub), TY_OK);
        EXPECT_EQ(hex(z), Z);
        EXPECT_EQ(hex(digest(msg, ID, key.pub)), E);
        EXPECT_EQ(hex(sign_with(unhex(E), key, unhex(K))), SIG);
        EXPECT_EQ(verify(unhex(SIG), msg, ID, key.pub), TY_OK);
    });
}

TEST(Sm2Sign, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-SIGN", 1, 24, [&](const Json &v) {
            const ty_sm2_key key = key_of(field(v, "d"));
            const Bytes msg = field(v, "msg"), id = field(v, "id");
            const Bytes sig = cat({field(v, "r"), field(v, "s")});
            Bytes z(32);
            EXPECT_EQ(pub_bytes(key.pub), field(v, "pub"));
            EXPECT_EQ(ty_sm2_z(z.data(), id.data(), id.size(), &key.pub), TY_OK);
            EXPECT_EQ(z, field(v, "z"));
            EXPECT_EQ(digest(msg, id, key.pub), field(v, "e"));
            EXPECT_EQ(sign_with(field(v, "e"), key, field(v, "k")), sig);
            EXPECT_EQ(verify(sig, msg, id, key.pub), TY_OK);
        });
    });
}
