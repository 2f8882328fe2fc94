// SM4-OCB: known answers, comparison with a step-by-step definition at every length on every tier,
// forgeries, arguments, streaming and its order.
#include "support/sm4.hpp"
#include "tongyu/sm4_aead.h"

namespace {

// --- OCB as RFC 7253 specifies it, one block at a time -------------------------------------------

struct Plain {
    Block block;
    Bytes l_rest, l_tag;
    explicit Plain(const Bytes &k) : block(k), l_rest(block.e(Bytes(16))), l_tag(twice(l_rest)) {}
    static Bytes twice(const Bytes &x)
    {
        Bytes y(16);
        for (size_t i = 0; i < 16; i++) y[i] = (uint8_t)(x[i] << 1 | (i < 15 ? x[i + 1] >> 7 : 0));
        if (x[0] & 0x80) y[15] ^= 0x87;
        return y;
    }
    Bytes l(size_t i) const                        // L_ntz(i)
    {
        Bytes x = twice(l_tag);
        for (; i % 2 == 0; i /= 2) x = twice(x);
        return x;
    }
    static Bytes filled(Bytes x) { return padded(x + Bytes{0x80}); }
    Bytes hash(const Bytes &a) const
    {
        Bytes sum(16), offset(16);
        size_t i = 0;
        for (; i + 16 <= a.size(); i += 16) {
            offset = offset ^ l(i / 16 + 1);
            sum = sum ^ block.e(part(a, i, i + 16) ^ offset);
        }
        if (i < a.size()) sum = sum ^ block.e(filled(part(a, i, a.size())) ^ offset ^ l_rest);
        return sum;
    }
    Bytes first_offset(const Bytes &nonce, size_t tag_len) const
    {
        Bytes n(16);
        n[0] = (uint8_t)(tag_len * 8 % 128 * 2);
        n[15 - nonce.size()] |= 1;
        std::copy(nonce.begin(), nonce.end(), n.end() - (long)nonce.size());
        const size_t bottom = n[15] & 63;
        n[15] &= 0xc0;
        const Bytes top = block.e(n), stretch = top + (part(top, 0, 8) ^ part(top, 1, 9));
        Bytes offset(16);
        for (size_t i = 0; i < 128; i++)
            offset[i / 8] |=
                (uint8_t)((stretch[(i + bottom) / 8] >> (7 - (i + bottom) % 8) & 1) << (7 - i % 8));
        return offset;
    }
    Bytes seal(Bytes &tag, size_t tag_len, const Bytes &text, const Bytes &aad,
               const Bytes &nonce) const
    {
        Bytes offset = first_offset(nonce, tag_len), sum(16), out;
        size_t i = 0;
        for (; i + 16 <= text.size(); i += 16) {
            const Bytes p = part(text, i, i + 16);
            offset = offset ^ l(i / 16 + 1);
            out = out + (offset ^ block.e(p ^ offset));
            sum = sum ^ p;
        }
        if (i < text.size()) {
            const Bytes p = part(text, i, text.size());
            offset = offset ^ l_rest;
            out = out + (p ^ block.e(offset));
            sum = sum ^ filled(p);
        }
        tag = part(block.e(sum ^ offset ^ l_tag) ^ hash(aad), 0, tag_len);
        return out;
    }
};

ty_err seal(Bytes &out, Bytes &tag, const Bytes &in, const Bytes &aad, const Bytes &nonce,
            const ty_sm4_ocb_key *key)
{
    out.assign(in.size(), 0);
    return ty_sm4_ocb_seal(out.data(), tag.data(), tag.size(), in.data(), in.size(), aad.data(),
                           aad.size(), nonce.data(), nonce.size(), key);
}

ty_err open(Bytes &out, const Bytes &in, const Bytes &tag, const Bytes &aad, const Bytes &nonce,
            const ty_sm4_ocb_key *key)
{
    out.assign(in.size(), 0xCC);
    return ty_sm4_ocb_open(out.data(), in.data(), in.size(), tag.data(), tag.size(), aad.data(),
                           aad.size(), nonce.data(), nonce.size(), key);
}

struct Ocb : testing::Test {
    TestRng rng{41};
    Bytes k = rng.bytes(16);
    ty_sm4_ocb_key key;
    Ocb() { ty_sm4_ocb_init(&key, k.data()); }
};

}   // namespace

// Computed by libgcrypt 1.10.1 (GCRY_CIPHER_SM4 in GCRY_CIPHER_MODE_OCB): key, nonce, aad,
// plaintext, ciphertext, tag.
TEST_F(Ocb, KnownAnswers)
{
    const char *known[][6] = {
        { "47abb94d0ec8d0ac56bf7f2d27bcdfa1", "2f1680e3794eaa1933d886e2", "", "", "",
          "5be038b8a73fa84264ba8fac4f21acdf" },
        { "60474755ea444a0901548a5ec03e91c9", "6646d78efbd4808697fdb30f", "", "37", "71",
          "892ba671518125250105bbf53439a72b" },
        { "85cbc911ce6d9a853e6dffa588532a0d", "a69b9bcb9afb8e43f4b2e324", "8f",
          "0a0a75fff732a739f0c3509894d24c", "450dc51fcb383af2163a0abb390ea3",
          "edc86722c4c86854b4121af5d1d5d38b" },
        { "57d005a5a79b7f902b414ba33dfb59a6", "a83c21e191f7aa3cfd5a80ea",
          "fba029c1c2582b170a7afec7d95abc84", "741c5e8a015027013a0cadca0332c8e2",
          "375f1343713338ffb75fa05fc016a0dd", "48337ca33526aa0138bb3170de9f3ded" },
        { "85b01b265140c2e456356be9bafcf7a0", "2e76c3af74a6a9cbb4fd335a",
          "5f6e54ae6c2041ca7bf444cfa9", "f5d35de89ea0be8e2c74b54c7447383871",
          "80c323d42426d8d7da41682416db97ebc5", "8d5a30aa200195cf39aba79d5f1b766a" },
        { "9abc170fb86b9d91affaf8949a5278a5", "6f6b843c1e529340642a9634",
          "d7919166217b24e4054522f95bed3013e44caa57119f0e8a78394c5cd9c3a2240e",
          "17beb0de7be5aeb8ef3ce38264798325081afc74477ae460bac666c104649d98a86dde6ac1485eb7978d17ce"
          "95fe3e26e848"
          "89827f0ac4f301d562743966a060",
          "53275a4e7379c7e86ea5f1b18739c8bca65cfd9d9dad1e0b7e8aa9759376dae4c49aaa6daf2507c1b13602d2"
          "4f68eb822540"
          "5ade6a4e2e9ec323879c229d6a78",
          "cff1bc1c3b136bef4c0db2c0ed0a539a" },
        { "046dc5120d46904a2a5e5a333525df24", "379c763ee82d0e24ab5b47d5",
          "c54fd6329d655dbb7336bf8b67ba9b73e8a0fa98",
          "a09f484bde556c3d80115be3473d5fef5908e0362094538635eb4be0f08b21d267111f79d307dd0cbe837227"
          "a84c05209206"
          "98c86f60106db3d32f022df11c561fd87a3a0bafe8d662c188fc43fda64a78158ff8f6463f02c9a4d8d90aaa"
          "e5383c3c3feb",
          "693d602e128f3e0008e177b017ccbaad3588d2096dfbefe1063aee8485cbc657435d07355f333a64b527427e"
          "602208174252"
          "02683cc45fbf5a818b29e4d4116e2e9e13682cc0de037e34e0766500b0b416a7792ddc1066749cb4c5ee16d3"
          "a479212f7aac"
          "",
          "baba6682ad348cc8259f27b5d5bc277d" },
        { "87522ce136c4a361a03e91a80f13a020", "542a8d8801b09926", "5ff3fc8118",
          "a75cf18eaf95fc014a10ca76e76b593fecdd48371a70de2bebf7688b67aa92a304",
          "36196b41edf1f02eafa5e56cdab120f7b0d6ec3052225d28134bd381724a530d4a",
          "9827fc787e9c41e9" },
        { "f293455c1bb6c2094de9bce2dbf52ac4", "ad4c36cb25572b3605489b50144cf9",
          "d985c8204857b3aac2ebf2e8bff7a9f5fc6b02bbaf3503506bd0166534b3910d132ca5a4a2ca9da7",
          "70503792f72ad04bb843c4668cf05106eec53280b3bfa6f24606f00dc9063079947a5facb48ad4e5ba4ce126"
          "0359e4c2",
          "45bf3254d59ba3817177bf1ccc5e8f1c6fd78d2eec775b22c4d43e0c5e31e1ad7263cd2d18738fb0189f4836"
          "b44305cf"
          "",
          "d159d2301a12434e2a170b35" },
        { "c14667d1482c7e786aa33427616a58f8", "15ea601fd42ccc752ef86f52",
          "199fde8811eef2899a2a9559e7001bb7b6dd990f4d3f8f664123353e6d55f151a6f885e133d495bea44a3e80"
          "6602397cee4314e687305cc032cabab390cbdba0",
          "89f637da2b55b216753743f2dbf12bd5ff51f2617b416a57c4aed1e813723d3be8ceff0ab462a46483a1e027"
          "7e8c3710ac42"
          "d1591eebe33265d3fed4d8482820c03087538367f5050976434982d803fc52c9b227ee18efe4e6bc3b0a7ad2"
          "091e1e37d6b6"
          "0c454f37a497cb9aabf9fb5808c3a3ad1a25f770de792cf81f20f3db45ba83ebf8942034a364cb85f175f207"
          "d95568638bac"
          "23178a0ac4a9d98a756c90a51102e8211967f31d528e5f0b3ea481424c2e6a6fc94d920a7218a8481bdd5913"
          "e13206f70504"
          "d9e00fbc9076d1a4237f6e0d2ac53ccce2e710ad80c32bc8c40e62c9dd243d7d8e460330a8dceb02d82e4854"
          "fa022ddec78c"
          "934e1c022bfebd45cb491627cc268b83855a116b749b1e7e7cc6301934ed7f556c67a13f644d628a6c2fe49e"
          "95e2b623038b"
          "25c138c1beaa163e3b5a8ab39d30a4200c2bd571",
          "d57ae474ffd69c6d1d708bfc9304607df7fb1ed13b2d81d0c2d5a65e6f33accc52afef05670d851920e0f487"
          "b9d0ba80d8a9"
          "19ff86cc50a153c9fb9e37bbcb59dd81d5dbe2ee2c0489dc2e6bdeb574cf5fc5857c524d4e56d75893fa2541"
          "0975ee1651e3"
          "73cc0d639f4e1a2e2fc1be835a9c2b659f342846ccb4b6996e0b9d10a3ac4047fc01a6a2043ac51a7c6ffa47"
          "d2efcf0e1bd0"
          "ee913d72ed29d4be149687a6b19a4b8b5aedf5d3cfa98b39ffa2998e8028dbe14b1f41cc554ee7d0888325d4"
          "13811ce0ba69"
          "e1fbb5a98677ee6f4c729553845d88b01eab281d05794faa08606c3b0b5b66b189bfe818cbb5fc8c4f349d03"
          "7435d45f1341"
          "43ae221a481640ff3b87b0d8c84ef7bfdfc1bea92efb9645e9641ec01197ed8419213cdf1e23ea9b05369bcc"
          "ddccfcdc5158"
          "e98fc3e3f335d7be413e8b729ffa353ee497176c",
          "85ea8377d1c6fe5ecdb8b88abb0292d9" },
    };
    each_cipher_tier([&](bool) {
        for (const auto &v : known) {
            Bytes out, tag(unhex(v[5]).size()), back;
            ty_sm4_ocb_init(&key, unhex(v[0]).data());
            ASSERT_EQ(seal(out, tag, unhex(v[3]), unhex(v[2]), unhex(v[1]), &key), TY_OK);
            EXPECT_EQ(hex(out), v[4]);
            EXPECT_EQ(hex(tag), v[5]);
            ASSERT_EQ(open(back, out, tag, unhex(v[2]), unhex(v[1]), &key), TY_OK);
            EXPECT_EQ(hex(back), v[3]);
        }
    });
}

TEST_F(Ocb, AgreesWithTheDefinition)
{
    const Plain plain(k);
    struct Case { Bytes nonce, aad, text, out, tag; };
    std::vector<Case> cases;
    const auto add = [&](size_t nonce, size_t aad, size_t text, size_t tag) {
        Case c{rng.bytes(nonce), rng.bytes(aad), rng.bytes(text), {}, {}};
        c.out = plain.seal(c.tag, tag, c.text, c.aad, c.nonce);
        cases.push_back(c);
    };
    for (size_t n = 0; n <= 600; n++) add(12, n % 37, n, 16);
    for (size_t n = 0; n <= 300; n++) add(1 + n % 15, n, n % 50, 8 + n % 9);
    for (size_t n : {1023, 1024, 1040, 2047, 2049, 4100}) {
        add(12, 3, n, 16);
        add(12, n, 3, 16);
    }
    each_cipher_tier([&](bool slow) {
        ty_sm4_ocb_init(&key, k.data());
        for (size_t i = 0; i < cases.size(); i += slow ? 97 : 1) {
            const Case &c = cases[i];
            const size_t n = c.text.size(), t = c.tag.size();
            if (slow && n + c.aad.size() > 1000) continue;
            Guarded in(c.text.data(), n), out(n), tag(t), aad(c.aad.data(), c.aad.size());
            Guarded nonce(c.nonce.data(), c.nonce.size());
            ASSERT_EQ(ty_sm4_ocb_seal(out.data(), tag.data(), t, in.data(), n, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);
            ASSERT_EQ(hex(out.data(), n), hex(c.out))
                << n << " " << aad.size() << " " << nonce.size();
            ASSERT_EQ(hex(tag.data(), t), hex(c.tag))
                << n << " " << aad.size() << " " << nonce.size();
            ASSERT_EQ(ty_sm4_ocb_seal(in.data(), tag.data(), t, in.data(), n, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);   // in place
            ASSERT_EQ(hex(in.data(), n), hex(c.out));
            ASSERT_EQ(hex(tag.data(), t), hex(c.tag));
            Guarded back(n);
            ASSERT_EQ(ty_sm4_ocb_open(back.data(), out.data(), n, tag.data(), t, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);
            ASSERT_EQ(hex(back.data(), n), hex(c.text));
            ASSERT_EQ(ty_sm4_ocb_open(out.data(), out.data(), n, tag.data(), t, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);
            ASSERT_EQ(hex(out.data(), n), hex(c.text));
        }
    });
}

// Masks that the key does not store: block 2^16 is the first that needs one, 2^17 the next.
TEST_F(Ocb, LongMessagesMakeTheirOwnMasks)
{
    const Plain plain(k);
    const size_t blocks = ((size_t)1 << 17) + 3;
    const Bytes nonce = rng.bytes(12), text = rng.bytes(16 * blocks + 5);
    Bytes out, tag(16), back;
    ASSERT_EQ(seal(out, tag, text, {}, nonce, &key), TY_OK);
    Bytes offset = plain.first_offset(nonce, 16), all;
    std::vector<Bytes> l;
    for (size_t i = 0; i < 18; i++) l.push_back(plain.l((size_t)1 << i));
    for (size_t i = 1; i <= blocks; i++) {
        offset = offset ^ l[(size_t)__builtin_ctzll(i)];
        for (const size_t at :
             { (size_t)65535, (size_t)65536, (size_t)65537, (size_t)131072, blocks })
            if (i == at) {
                const Bytes p = part(text, 16 * (i - 1), 16 * i);
                ASSERT_EQ(hex(part(out, 16 * (i - 1), 16 * i)),
                          hex(offset ^ plain.block.e(p ^ offset)))
                    << i;
            }
    }
    ASSERT_EQ(open(back, out, tag, {}, nonce, &key), TY_OK);
    ASSERT_TRUE(back == text);
}

TEST_F(Ocb, EveryForgeryIsRefusedAndLeavesZeros)
{
    for (size_t len : {0, 1, 16, 37, 300}) {
        const Bytes nonce = rng.bytes(12), aad = rng.bytes(19), text = rng.bytes(len);
        Bytes out, tag(16), back;
        ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), TY_OK);
        const auto forged = [&](const Bytes &o, const Bytes &t, const Bytes &a, const Bytes &n) {
            ASSERT_EQ(open(back, o, t, a, n, &key), TY_ERR_VERIFY);
            ASSERT_EQ(back, Bytes(o.size(), 0));
        };
        each_flipped_bit(out, [&](const Bytes &x) { forged(x, tag, aad, nonce); });
        each_flipped_bit(tag, [&](const Bytes &x) { forged(out, x, aad, nonce); });
        each_flipped_bit(aad, [&](const Bytes &x) { forged(out, tag, x, nonce); });
        each_flipped_bit(nonce, [&](const Bytes &x) { forged(out, tag, aad, x); });
        forged(out, tag, aad + Bytes(1), nonce);
        forged(out + Bytes(1), tag, aad, nonce);
        forged(out, tag, aad, Bytes(1) + nonce);
        forged(out, part(tag, 0, 14), aad, nonce);      // the tag's length is authenticated
        tag[3] ^= 4;                                    // in place: the ciphertext is wiped, too
        EXPECT_EQ(ty_sm4_ocb_open(out.data(), out.data(), len, tag.data(), 16, aad.data(),
                                  aad.size(), nonce.data(), 12, &key),
                  TY_ERR_VERIFY);
        EXPECT_EQ(out, Bytes(len, 0));
    }
}

TEST_F(Ocb, Arguments)
{
    const Bytes aad = rng.bytes(5), text = rng.bytes(40);
    Bytes out, back;
    ty_sm4_ocb c;
    for (size_t tag_len = 0; tag_len <= 20; tag_len++)
        for (size_t nonce_len = 0; nonce_len <= 17; nonce_len++) {
            Bytes tag(tag_len, 0x77);
            const Bytes nonce = rng.bytes(nonce_len);
            const bool good = nonce_len >= 1 && nonce_len <= 15 && tag_len >= 8 && tag_len <= 16;
            ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), good ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(open(back, out, tag, aad, nonce, &key), good ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(ty_sm4_ocb_start(&c, nonce.data(), nonce_len, tag_len, &key),
                      good ? TY_OK : TY_ERR_ARG);
            if (good) {
                EXPECT_EQ(back, text);
                continue;
            }
            EXPECT_EQ(tag, Bytes(tag_len, 0x77));
            EXPECT_EQ(out, Bytes(40, 0));
            EXPECT_EQ(back, Bytes(40, 0xCC)) << "untouched";
            EXPECT_EQ(ty_sm4_ocb_aad(&c, aad.data(), 0), TY_ERR_STATE);
        }
    uint8_t tag[16];
    EXPECT_EQ(ty_sm4_ocb_seal(nullptr, tag, 16, nullptr, 0, nullptr, 0, aad.data(), 5, &key),
              TY_OK);
    EXPECT_EQ(ty_sm4_ocb_open(nullptr, nullptr, 0, tag, 16, nullptr, 0, aad.data(), 5, &key),
              TY_OK);
}

namespace {

// Encrypts or decrypts text by a stream, in pieces of at most `most` bytes that end at guard pages,
// in place or not; pieces of the additional data are passed before, between and after them.
ty_err stream(Bytes &out, Bytes &tag, const Bytes &text, const Bytes &aad, const Bytes &nonce,
              const ty_sm4_ocb_key *key, TestRng &rng, size_t most, bool encrypt, bool in_place)
{
    ty_sm4_ocb c;
    size_t n, fed = 0;
    out.clear();
    EXPECT_EQ(ty_sm4_ocb_start(&c, nonce.data(), nonce.size(), tag.size(), key), TY_OK);
    Guarded out_end(most + 15), in_end(most), aad_end(most);
    const auto feed = [&](size_t some) {
        some = std::min(some, aad.size() - fed);
        uint8_t *from = aad_end.data() + most - some;
        std::copy_n(aad.begin() + (long)fed, some, from);
        EXPECT_EQ(ty_sm4_ocb_aad(&c, from, some), TY_OK);
        fed += some;
    };
    pieces(rng, text.size(), most, [&](size_t at, size_t some) {
        const size_t room = (some + 15) / 16 * 16;
        uint8_t *to = out_end.data() + out_end.size() - room,
                *from = in_place ? to : in_end.data() + most - some;
        std::copy_n(text.begin() + (long)at, some, from);
        feed(rng.below(most));
        EXPECT_EQ((encrypt ? ty_sm4_ocb_encrypt : ty_sm4_ocb_decrypt)(to, &n, from, some, &c),
                  TY_OK);
        EXPECT_LE(n, room);
        out.insert(out.end(), to, to + n);
    });
    while (fed < aad.size()) feed(1 + rng.below(most));
    Guarded last(text.size() - out.size());
    const ty_err err = encrypt ? ty_sm4_ocb_final(last.data(), &n, tag.data(), tag.size(), &c)
                               : ty_sm4_ocb_verify(last.data(), &n, tag.data(), tag.size(), &c);
    EXPECT_EQ(n, err == TY_OK ? last.size() : 0);
    out.insert(out.end(), last.data(), last.data() + n);
    const ty_sm4_ocb wiped = {};
    EXPECT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);
    return err;
}

}   // namespace

TEST_F(Ocb, StreamingInAnyChunkingIsOneShot)
{
    each_cipher_tier([&](bool slow) {
        TestRng r(13);
        ty_sm4_ocb_init(&key, k.data());
        for (size_t round = 0; round < (slow ? 3 : 90); round++) {
            const size_t sizes[9] = {5, 40, 400, 5, 40, 400, 5, 40, 3000}, most = sizes[round % 9];
            const Bytes nonce = r.bytes(1 + r.below(15)), aad = r.bytes(r.below(70)),
                        text = r.bytes(r.below(slow ? 100 : most == 3000 ? 9000 : 900));
            Bytes out, tag(8 + r.below(9)), streamed, stag(tag.size()), back;
            ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), TY_OK);
            for (const bool in_place : {false, true}) {
                ASSERT_EQ(stream(streamed, stag, text, aad, nonce, &key, r, most, true, in_place),
                          TY_OK);
                ASSERT_EQ(hex(streamed), hex(out));
                ASSERT_EQ(hex(stag), hex(tag));
                ASSERT_EQ(stream(back, stag, out, aad, nonce, &key, r, most, false, in_place),
                          TY_OK);
                ASSERT_EQ(hex(back), hex(text));
                stag[round % stag.size()] ^= (uint8_t)(1 << round % 8);
                ASSERT_EQ(stream(back, stag, out, aad, nonce, &key, r, most, false, in_place),
                          TY_ERR_VERIFY);
            }
        }
    });
}

TEST_F(Ocb, CallsInTheWrongOrder)
{
    uint8_t x[32] = {0}, tag[16];
    size_t n = 9;
    ty_sm4_ocb c;
    const auto start = [&] { ASSERT_EQ(ty_sm4_ocb_start(&c, x, 12, 16, &key), TY_OK); };
    start();
    EXPECT_EQ(ty_sm4_ocb_encrypt(x, &n, x, 5, &c), TY_OK);
    EXPECT_EQ(n, 0u);
    n = 9;
    EXPECT_EQ(ty_sm4_ocb_decrypt(x, &n, x, 1, &c), TY_ERR_STATE);
    EXPECT_EQ(n, 0u);
    EXPECT_EQ(ty_sm4_ocb_verify(x, &n, tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ocb_final(x, &n, tag, 15, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_ocb_final(x, &n, tag, 16, &c), TY_OK) << "a wrong length changes nothing";
    EXPECT_EQ(n, 5u);
    EXPECT_EQ(ty_sm4_ocb_final(x, &n, tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(n, 0u);
    EXPECT_EQ(ty_sm4_ocb_verify(x, &n, tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ocb_aad(&c, x, 1), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ocb_encrypt(x, &n, x, 1, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ocb_decrypt(x, &n, x, 1, &c), TY_ERR_STATE);
    start();
    EXPECT_EQ(ty_sm4_ocb_decrypt(x, &n, x, 20, &c), TY_OK);
    EXPECT_EQ(ty_sm4_ocb_final(x, &n, tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ocb_verify(x, &n, tag, 16, &c), TY_ERR_VERIFY);
    // additional data without a message are authenticated, in both directions
    start();
    EXPECT_EQ(ty_sm4_ocb_aad(&c, x, 21), TY_OK);
    EXPECT_EQ(ty_sm4_ocb_final(x, &n, tag, 16, &c), TY_OK);
    const Bytes first(tag, tag + 16);
    start();
    EXPECT_EQ(ty_sm4_ocb_aad(&c, x, 21), TY_OK);
    EXPECT_EQ(ty_sm4_ocb_verify(x, &n, first.data(), 16, &c), TY_OK);
}
