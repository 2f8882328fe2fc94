// SM4-GCM: RFC 8998's example, comparison with a step-by-step definition at every length on
// every pair of tiers, counter wraps, forgeries, limits, and the order of streaming calls.
#include "support/full.hpp"
#include "support/sm4.hpp"
extern "C" {
#include "aead/sm4_gcm.h"
}

namespace {

// --- GCM as SP 800-38D specifies it: one block at a time, the hash bit by bit --------------------

struct Plain {
    ty_sm4_key key;
    Bytes h;
    explicit Plain(const Bytes &k)
    {
        ty_sm4_init(&key, k.data());
        h = cipher(Bytes(16));
    }
    Bytes cipher(Bytes x) const
    {
        EXPECT_EQ(ty_sm4_ecb_encrypt(x.data(), x.data(), 16, &key), TY_OK);
        return x;
    }
    Bytes times_h(const Bytes &x) const                    // Algorithm 1
    {
        Bytes z(16), v = h;
        for (size_t i = 0; i < 128; i++) {
            if (x[i / 8] >> (7 - i % 8) & 1)
                for (size_t j = 0; j < 16; j++) z[j] ^= v[j];
            const bool over = v[15] & 1;
            for (size_t j = 15; j > 0; j--) v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
            v[0] >>= 1;
            if (over) v[0] ^= 0xE1;
        }
        return z;
    }
    Bytes ghash(const Bytes &x) const                      // Algorithm 2
    {
        Bytes y(16);
        for (size_t i = 0; i < x.size(); i += 16) {
            for (size_t j = 0; j < 16; j++) y[j] ^= x[i + j];
            y = times_h(y);
        }
        return y;
    }
    static Bytes padded(Bytes x) { x.resize((x.size() + 15) / 16 * 16); return x; }
    static Bytes lengths(uint64_t a, uint64_t b)
    {
        Bytes x;
        for (int i = 56; i >= 0; i -= 8) x.push_back((uint8_t)(8 * a >> i));
        for (int i = 56; i >= 0; i -= 8) x.push_back((uint8_t)(8 * b >> i));
        return x;
    }
    static void append(Bytes &x, const Bytes &y) { x.insert(x.end(), y.begin(), y.end()); }
    Bytes j0(const Bytes &nonce) const
    {
        Bytes j = nonce;
        if (nonce.size() == 12) {
            append(j, {0, 0, 0, 1});
            return j;
        }
        j = padded(j);
        append(j, lengths(0, nonce.size()));
        return ghash(j);
    }
    Bytes ctr(Bytes counter, Bytes text) const
    {
        Bytes pad;
        for (size_t i = 0; i < text.size(); i++) {
            if (i % 16 == 0) {
                for (int j = 15; j >= 12 && ++counter[(size_t)j] == 0; j--) {}
                pad = cipher(counter);
            }
            text[i] ^= pad[i % 16];
        }
        return text;
    }
    Bytes seal(Bytes &tag, const Bytes &nonce, const Bytes &aad, const Bytes &text) const
    {
        const Bytes j = j0(nonce), out = ctr(j, text), mask = cipher(j);
        Bytes x = padded(aad);
        append(x, padded(out));
        append(x, lengths(aad.size(), text.size()));
        tag = ghash(x);
        for (size_t i = 0; i < 16; i++) tag[i] ^= mask[i];
        return out;
    }
};

// Whether a tier runs only a selection of the cases: an emulated one, at about a millisecond a
// block, or one that is only to be sampled.
bool slow_tier(const void *ops)
{
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        if (t->ops == ops) return slow_row(ty_sm4_tiers, t);
    return false;
}

// Every tier of the cipher with every tier of the hash; a slow cipher with the best hash only.
void each_pair(const Bytes &k, const std::function<void(const ty_sm4_gcm_key *)> &f)
{
    for_each_tier<ty_sm4_ops>(ty_sm4_tiers, [&](const ty_sm4_ops *cipher, const char *) {
        for_each_tier<ty_f2_128_ops>(ty_f2_128_tiers, [&](const ty_f2_128_ops *hash, const char *) {
            if (slow_tier(cipher) && hash != ty_f2_128_best()) return;
            ty_sm4_gcm_key key;
            key.sm4.ops = cipher;
            cipher->schedule(key.sm4.enc, k.data());
            std::reverse_copy(key.sm4.enc, key.sm4.enc + 32, key.sm4.dec);
            uint8_t h[16] = {0};
            cipher->ecb(h, h, 1, key.sm4.enc);
            key.ghash = hash;
            hash->powers(key.power, h);
            f(&key);
        });
    });
}

ty_err seal(Bytes &out, Bytes &tag, const Bytes &in, const Bytes &aad, const Bytes &nonce,
            const ty_sm4_gcm_key *key)
{
    out.assign(in.size(), 0);
    return ty_sm4_gcm_seal(out.data(), tag.data(), tag.size(), in.data(), in.size(), aad.data(),
                           aad.size(), nonce.data(), nonce.size(), key);
}

ty_err open(Bytes &out, const Bytes &in, const Bytes &tag, const Bytes &aad, const Bytes &nonce,
            const ty_sm4_gcm_key *key)
{
    out.assign(in.size(), 0xCC);
    return ty_sm4_gcm_open(out.data(), in.data(), in.size(), tag.data(), tag.size(), aad.data(),
                           aad.size(), nonce.data(), nonce.size(), key);
}

struct Gcm : testing::Test {
    TestRng rng{11};
    Bytes k = rng.bytes(16);
    ty_sm4_gcm_key key;
    Gcm() { ty_sm4_gcm_init(&key, k.data()); }
};

}   // namespace

TEST_F(Gcm, Rfc8998Example)
{
    const Bytes nonce = unhex("00001234567800000000ABCD"),
                aad = unhex("FEEDFACEDEADBEEFFEEDFACEDEADBEEFABADDAD2");
    const Bytes text = unhex("AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBCCCCCCCCCCCCCCCCDDDDDDDDDDDDDDDD"
                             "EEEEEEEEEEEEEEEEFFFFFFFFFFFFFFFFEEEEEEEEEEEEEEEEAAAAAAAAAAAAAAAA");
    each_pair(unhex("0123456789ABCDEFFEDCBA9876543210"), [&](const ty_sm4_gcm_key *rfc) {
        Bytes out, tag(16), back;
        ASSERT_EQ(seal(out, tag, text, aad, nonce, rfc), TY_OK);
        EXPECT_EQ(hex(out), "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
                            "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d");
        EXPECT_EQ(hex(tag), "83de3541e4c2b58177e065a9bf7b62ec");
        ASSERT_EQ(open(back, out, tag, aad, nonce, rfc), TY_OK);
        EXPECT_EQ(back, text);
    });
}

TEST_F(Gcm, AgreesWithTheDefinition)
{
    const Plain plain(k);
    struct Case { Bytes nonce, aad, text, out, tag; };
    std::vector<Case> cases;
    const auto add = [&](size_t nonce, size_t aad, size_t text) {
        Case c{rng.bytes(nonce), rng.bytes(aad), rng.bytes(text), {}, {}};
        c.out = plain.seal(c.tag, c.nonce, c.aad, c.text);
        cases.push_back(c);
    };
    for (size_t n = 0; n <= 80; n++) add(12, n % 7, n);
    for (size_t n = 0; n <= 40; n++) add(12, n, n % 5);
    for (size_t n = 1; n <= 70; n++) add(n, 3, 21);
    // the longest that are encrypted together with J0, and the shortest that are not
    for (size_t n = TY_GCM_HEAD - 30; n <= TY_GCM_HEAD + 30; n++) add(12, n % 37, n);
    for (size_t n : {127, 128, 129, 300, 4096, 4097, 4127, 8200}) add(12, n / 3, n);
    // whole batches of 16, 32 or 64 blocks, with which J0 and a last partial block are interleaved,
    // and blocks that remain after them
    for (size_t blocks : {32, 33, 35, 36, 47, 62, 63, 64, 65, 67, 95, 127, 128, 129, 257})
        for (size_t partial : {0, 1, 15}) add(12, 5 * partial, 16 * blocks + partial);
    const size_t usual = cases.size();
    for (size_t n = 81; n <= 2048 && full(); n++) add(12, n % 37, n);
    each_pair(k, [&](const ty_sm4_gcm_key *pair) {
        for (size_t i = 0; i < cases.size(); i += slow_tier(pair->sm4.ops) ? 20 : 1) {
            if (i >= usual && slow_tier(pair->sm4.ops)) break;
            const Case &c = cases[i];
            const size_t n = c.text.size();
            Guarded in(c.text.data(), n), out(n), tag(16), aad(c.aad.data(), c.aad.size());
            Guarded nonce(c.nonce.data(), c.nonce.size());
            ASSERT_EQ(ty_sm4_gcm_seal(out.data(), tag.data(), 16, in.data(), n, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), pair),
                      TY_OK);
            ASSERT_EQ(hex(out.data(), n), hex(c.out))
                << n << " " << aad.size() << " " << nonce.size();
            ASSERT_EQ(hex(tag.data(), 16), hex(c.tag))
                << n << " " << aad.size() << " " << nonce.size();
            ASSERT_EQ(ty_sm4_gcm_open(out.data(), out.data(), n, tag.data(), 16, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), pair),
                      TY_OK);   // in place
            ASSERT_EQ(hex(out.data(), n), hex(c.text));
        }
    });
}

// With a nonce whose length is not 12, the 32-bit counter may wrap at any place in a batch. For a
// given J0 = GHASH(nonce) a nonce of 16 bytes is computed: J0 = (nonce h + lengths) h, so nonce =
// (J0 / h + lengths) / h.
TEST_F(Gcm, CounterWrapsInEveryLane)
{
    const Plain plain(k);
    const auto mul = [&](const Bytes &a, const Bytes &b) {
        Plain p = plain;
        p.h = b;
        return p.times_h(a);
    };
    Bytes inverse = plain.h, square = plain.h;      // h^(2^128 - 2) = h^2 h^4 ... h^(2^127)
    inverse.assign(16, 0);
    inverse[0] = 0x80;
    for (int i = 1; i < 128; i++) {
        square = mul(square, square);
        inverse = mul(inverse, square);
    }
    struct Case { Bytes nonce, text, out, tag; };
    std::vector<Case> cases;
    for (uint32_t before = 0; before < 75; before++) {
        Bytes j = rng.bytes(12);
        for (int i = 24; i >= 0; i -= 8) j.push_back((uint8_t)((0u - before) >> i));
        Bytes n = mul(j, inverse);
        const Bytes l = Plain::lengths(0, 16);
        for (size_t i = 0; i < 16; i++) n[i] ^= l[i];
        Case c{mul(n, inverse), rng.bytes(16 * (before % 2 ? 40 : 69) + 5), {}, {}};
        ASSERT_EQ(plain.j0(c.nonce), j);
        c.out = plain.seal(c.tag, c.nonce, {}, c.text);
        cases.push_back(c);
    }
    each_pair(k, [&](const ty_sm4_gcm_key *pair) {
        for (size_t i = 0; i < cases.size(); i += slow_tier(pair->sm4.ops) ? 11 : 1) {
            const Case &c = cases[i];
            Bytes out, tag(16), back;
            ASSERT_EQ(seal(out, tag, c.text, {}, c.nonce, pair), TY_OK);
            ASSERT_EQ(hex(out), hex(c.out));
            ASSERT_EQ(hex(tag), hex(c.tag));
            ASSERT_EQ(open(back, out, tag, {}, c.nonce, pair), TY_OK);
            ASSERT_EQ(back, c.text);
        }
    });
}

TEST_F(Gcm, EveryForgeryIsRefusedAndLeavesZeros)
{
    for (size_t len : {0, 1, 16, 37, 531}) {
        const Bytes nonce = rng.bytes(12), aad = rng.bytes(19), text = rng.bytes(len);
        Bytes out, tag(16), back;
        ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), TY_OK);
        const auto forged = [&](const Bytes &o, const Bytes &t, const Bytes &a, const Bytes &n) {
            EXPECT_EQ(open(back, o, t, a, n, &key), TY_ERR_VERIFY);
            EXPECT_EQ(back, Bytes(o.size(), 0));
        };
        const auto flip_all = [&](Bytes x, const std::function<void(const Bytes &)> &f) {
            for (size_t bit = 0; bit < 8 * x.size(); bit++) {
                x[bit / 8] ^= (uint8_t)(1 << bit % 8);
                f(x);
                x[bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
        };
        flip_all(out, [&](const Bytes &x) { forged(x, tag, aad, nonce); });
        flip_all(tag, [&](const Bytes &x) { forged(out, x, aad, nonce); });
        flip_all(aad, [&](const Bytes &x) { forged(out, tag, x, nonce); });
        flip_all(nonce, [&](const Bytes &x) { forged(out, tag, aad, x); });
        Bytes longer = aad, more = out;
        longer.push_back(0);                        // the lengths are authenticated
        more.push_back(0);
        forged(out, tag, longer, nonce);
        forged(more, tag, aad, nonce);
        forged(out, Bytes(16, 0), aad, nonce);
        // In place: the ciphertext is overwritten, too, and no unauthenticated plaintext remains.
        Bytes place = out;
        tag[3] ^= 4;
        EXPECT_EQ(ty_sm4_gcm_open(place.data(), place.data(), place.size(), tag.data(), 16,
                                  aad.data(), aad.size(), nonce.data(), 12, &key),
                  TY_ERR_VERIFY);
        EXPECT_EQ(place, Bytes(len, 0));
    }
}

TEST_F(Gcm, TagLengthsFrom12To16)
{
    const Bytes nonce = rng.bytes(12), aad = rng.bytes(5), text = rng.bytes(40);
    Bytes out, whole(16), back;
    ASSERT_EQ(seal(out, whole, text, aad, nonce, &key), TY_OK);
    for (size_t n = 0; n <= 20; n++) {
        Bytes tag(n, 0x77), o;
        const ty_err expected = n >= 12 && n <= 16 ? TY_OK : TY_ERR_ARG;
        ASSERT_EQ(seal(o, tag, text, aad, nonce, &key), expected) << n;
        if (expected == TY_OK) {
            EXPECT_EQ(tag, Bytes(whole.begin(), whole.begin() + (long)n));
            EXPECT_EQ(open(back, o, tag, aad, nonce, &key), TY_OK);
            EXPECT_EQ(back, text);
            tag[n - 1] ^= 1;
            EXPECT_EQ(open(back, o, tag, aad, nonce, &key), TY_ERR_VERIFY);
        } else {
            EXPECT_EQ(tag, Bytes(n, 0x77));
            EXPECT_EQ(o, Bytes(40, 0));
            EXPECT_EQ(open(back, out, tag, aad, nonce, &key), TY_ERR_ARG);
            EXPECT_EQ(back, Bytes(40, 0xCC)) << "untouched";
        }
    }
}

TEST_F(Gcm, LimitsAndArguments)
{
    // The tag precedes x: if it were in the 64 GB after x, it would overlap the text, which is too
    // long.
    uint8_t room[32] = {0}, *const tag = room, *const x = room + 16;
    EXPECT_EQ(ty_sm4_gcm_seal(x, tag, 16, x, 16, nullptr, 0, x, 0, &key), TY_ERR_ARG)
        << "no nonce";
    EXPECT_EQ(ty_sm4_gcm_open(x, x, 16, tag, 16, nullptr, 0, x, 0, &key), TY_ERR_ARG);
    ty_sm4_gcm c;
    EXPECT_EQ(ty_sm4_gcm_start(&c, x, 0, &key), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_gcm_aad(&c, x, 1), TY_ERR_STATE);
    // SP 800-38D, 5.2.1.1, in bytes
    EXPECT_EQ((uint64_t)TY_SM4_GCM_MAX, ((uint64_t)1 << 36) - 32);
    EXPECT_EQ((uint64_t)TY_SM4_GCM_AAD_MAX, ((uint64_t)1 << 61) - 1);
    // Longer inputs are refused before a byte is read or written.
    if (sizeof(size_t) > 4) {
        const auto over = (size_t)(TY_SM4_GCM_MAX + 1), aad_over = (size_t)(TY_SM4_GCM_AAD_MAX + 1);
        EXPECT_EQ(ty_sm4_gcm_seal(x, tag, 16, x, over, nullptr, 0, x, 12, &key),
                  TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_gcm_open(x, x, over, tag, 16, nullptr, 0, x, 12, &key),
                  TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_gcm_seal(x, tag, 16, x, 16, x, aad_over, x, 12, &key), TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_gcm_seal(x, tag, 16, x, 16, nullptr, 0, x, aad_over, &key),
                  TY_ERR_SIZE);
        ASSERT_EQ(ty_sm4_gcm_start(&c, x, 12, &key), TY_OK);
        EXPECT_EQ(ty_sm4_gcm_aad(&c, x, 3), TY_OK);
        EXPECT_EQ(ty_sm4_gcm_aad(&c, x, (size_t)(TY_SM4_GCM_AAD_MAX - 2)), TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_gcm_encrypt(x, x, 5, &c), TY_OK);
        EXPECT_EQ(ty_sm4_gcm_encrypt(x, x, (size_t)(TY_SM4_GCM_MAX - 4), &c), TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_gcm_final(tag, 16, &c), TY_OK) << "a refused call changes nothing";
        EXPECT_EQ(hex(x + 5, 11), hex(Bytes(11, 0)));
    }
    EXPECT_EQ(ty_sm4_gcm_seal(nullptr, tag, 16, nullptr, 0, nullptr, 0, x, 12, &key), TY_OK);
    EXPECT_EQ(ty_sm4_gcm_open(nullptr, nullptr, 0, tag, 16, nullptr, 0, x, 12, &key), TY_OK);
}

TEST_F(Gcm, StreamingInAnyChunkingIsOneShot)
{
    each_pair(k, [&](const ty_sm4_gcm_key *pair) {
        TestRng r(13);
        for (size_t round = 0; round < (slow_tier(pair->sm4.ops) ? 4 : 60); round++) {
            const size_t chunks[] = {5, 40, 300, 9000}, most = chunks[round % 4];
            const Bytes nonce = r.bytes(1 + r.below(20)), aad = r.bytes(r.below(70)),
                        text = r.bytes(r.below(most < 9000 ? 600 : 12000));
            Bytes out, tag(16), streamed = text, stag(16), back;
            ASSERT_EQ(seal(out, tag, text, aad, nonce, pair), TY_OK);
            const auto feed = [&](size_t len, const std::function<void(size_t, size_t)> &f) {
                for (size_t at = 0, some; at < len; at += some) {
                    some = std::min<size_t>(len - at, r.below(most));
                    f(at, some);
                }
            };
            ty_sm4_gcm c;
            ASSERT_EQ(ty_sm4_gcm_start(&c, nonce.data(), nonce.size(), pair), TY_OK);
            feed(aad.size(),
                 [&](size_t at, size_t n) { ASSERT_EQ(ty_sm4_gcm_aad(&c, &aad[at], n), TY_OK); });
            feed(text.size(), [&](size_t at, size_t n) {      // in place
                ASSERT_EQ(ty_sm4_gcm_encrypt(&streamed[at], &streamed[at], n, &c), TY_OK);
            });
            ASSERT_EQ(ty_sm4_gcm_final(stag.data(), 16, &c), TY_OK);
            ASSERT_EQ(hex(streamed), hex(out));
            ASSERT_EQ(hex(stag), hex(tag));
            for (const bool good : {true, false}) {
                ASSERT_EQ(ty_sm4_gcm_start(&c, nonce.data(), nonce.size(), pair), TY_OK);
                feed(aad.size(), [&](size_t at, size_t n) {
                    ASSERT_EQ(ty_sm4_gcm_aad(&c, &aad[at], n), TY_OK);
                });
                Bytes plain(text.size());
                feed(text.size(), [&](size_t at, size_t n) {  // out of place, then in place
                    if (!good) std::copy(&out[at], &out[at] + n, &plain[at]);
                    ASSERT_EQ(ty_sm4_gcm_decrypt(&plain[at], good ? &out[at] : &plain[at], n, &c),
                              TY_OK);
                });
                ASSERT_EQ(plain, text);
                if (!good) stag[7] ^= 0x10;
                ASSERT_EQ(ty_sm4_gcm_verify(stag.data(), 16, &c), good ? TY_OK : TY_ERR_VERIFY);
            }
        }
    });
}

TEST_F(Gcm, AdditionalDataWithoutAMessage)
{
    for (size_t len = 0; len <= 50; len++) {
        const Bytes nonce = rng.bytes(12), aad = rng.bytes(len);
        Bytes none, tag(16), streamed(16);
        ASSERT_EQ(seal(none, tag, {}, aad, nonce, &key), TY_OK);
        ty_sm4_gcm c;
        ASSERT_EQ(ty_sm4_gcm_start(&c, nonce.data(), 12, &key), TY_OK);
        ASSERT_EQ(ty_sm4_gcm_aad(&c, aad.data(), len), TY_OK);
        ASSERT_EQ(ty_sm4_gcm_final(streamed.data(), 16, &c), TY_OK);
        ASSERT_EQ(hex(streamed), hex(tag)) << len;
        ASSERT_EQ(ty_sm4_gcm_start(&c, nonce.data(), 12, &key), TY_OK);
        ASSERT_EQ(ty_sm4_gcm_aad(&c, aad.data(), len), TY_OK);
        ASSERT_EQ(ty_sm4_gcm_verify(tag.data(), 16, &c), TY_OK) << len;
    }
}

TEST_F(Gcm, CallsInTheWrongOrder)
{
    uint8_t x[32] = {0}, tag[16];
    ty_sm4_gcm c;
    const auto start = [&] { ASSERT_EQ(ty_sm4_gcm_start(&c, x, 12, &key), TY_OK); };
    start();
    EXPECT_EQ(ty_sm4_gcm_encrypt(x, x, 0, &c), TY_OK);
    EXPECT_EQ(ty_sm4_gcm_aad(&c, x, 1), TY_ERR_STATE) << "the message has begun, even an empty one";
    EXPECT_EQ(ty_sm4_gcm_decrypt(x, x, 1, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_verify(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_final(tag, 11, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_gcm_final(tag, 17, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_gcm_final(tag, 16, &c), TY_OK) << "a wrong length changes nothing";
    const ty_sm4_gcm wiped = {};
    EXPECT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);
    EXPECT_EQ(ty_sm4_gcm_final(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_verify(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_aad(&c, x, 1), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_encrypt(x, x, 1, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_decrypt(x, x, 1, &c), TY_ERR_STATE);
    start();
    EXPECT_EQ(ty_sm4_gcm_decrypt(x, x, 5, &c), TY_OK);
    EXPECT_EQ(ty_sm4_gcm_encrypt(x, x, 5, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_final(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gcm_verify(tag, 3, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_gcm_verify(tag, 16, &c), TY_ERR_VERIFY);
    EXPECT_EQ(ty_sm4_gcm_verify(tag, 16, &c), TY_ERR_STATE);
    // additional data without a message (GMAC), in both directions
    start();
    EXPECT_EQ(ty_sm4_gcm_aad(&c, x, 21), TY_OK);
    EXPECT_EQ(ty_sm4_gcm_final(tag, 16, &c), TY_OK);
    start();
    EXPECT_EQ(ty_sm4_gcm_aad(&c, x, 21), TY_OK);
    EXPECT_EQ(ty_sm4_gcm_verify(tag, 16, &c), TY_OK);
}

TEST_F(Gcm, SharedVectors)
{
    const auto all = load_vectors("sm4.json");
    if (!all) GTEST_SKIP() << "no vector files";
    auto ran = each_vector(
        *all, [](const std::string &alg) { return alg == "SM4-GCM"; },
        [&](const Json &v) {
            const Bytes pt = field(v, "pt"), ct = field(v, "ct"), expected = field(v, "tag"),
                        nonce = field(v, "iv");
            Bytes out, tag(expected.size()), back;
            ty_sm4_gcm_init(&key, field(v, "key").data());
            ASSERT_EQ(seal(out, tag, pt, field(v, "aad"), nonce, &key), TY_OK);
            ASSERT_EQ(hex(out), hex(ct));
            ASSERT_EQ(hex(tag), hex(expected));
            ASSERT_EQ(open(back, ct, expected, field(v, "aad"), nonce, &key), TY_OK);
            ASSERT_EQ(back, pt);
        });
    EXPECT_EQ(ran["SM4-GCM"], 57);
}
