// The DER reader and writer by themselves: the formats built on them check so much that their tests
// would not notice a check missing in the reader.
extern "C" {   // internal headers are plain C
#include "key/der.h"
}
#include "support/guard.hpp"
#include "support/hex.hpp"
#include <algorithm>
#include <gtest/gtest.h>

static Bytes cat(const Bytes &a, const Bytes &b)
{
    Bytes out = a;
    out.insert(out.end(), b.begin(), b.end());
    return out;
}

// Reads one OCTET STRING of `len` bytes under the given head; 1 if the reader accepts it and has
// then reached the end.
static int accepts(const Bytes &head, size_t len)
{
    const Bytes all = cat(head, Bytes(len, 0x55));
    Guarded in(all.data(), all.size());
    ty_der der = ty_der_from(in.data(), in.size());
    const ty_der contents = ty_der_enter(&der, TY_DER_OCTETS);
    EXPECT_EQ(contents.bad, der.bad);
    if (contents.bad) {
        EXPECT_EQ(contents.len + der.len, 0u);
    } else {
        EXPECT_EQ(contents.p, in.data() + head.size());
        EXPECT_EQ(contents.len, len);
    }
    return ty_der_done(&der);
}

// 04, then the length in the long form with n length bytes
static Bytes long_form(size_t len, size_t n)
{
    Bytes head = {4, (uint8_t)(0x80 + n)};
    for (size_t i = n; i-- > 0;) head.push_back(i < sizeof len ? (uint8_t)(len >> 8 * i) : 0);
    return head;
}

TEST(Der, OnlyTheShortestLengthIsAccepted)
{
    for (size_t len : {0u, 1u, 0x7fu, 0x80u, 0x81u, 0xffu, 0x100u, 0x101u, 0xffffu, 0x10000u}) {
        size_t shortest = 0;   // length bytes
        if (len >= 0x80)
            for (size_t rest = len; rest; rest >>= 8) shortest++;
        if (len < 0x100) { EXPECT_EQ(accepts({4, (uint8_t)len}, len), len < 0x80) << len; }
        for (size_t n = 1; n <= 12; n++) {
            if (n < shortest) continue;
            EXPECT_EQ(accepts(long_form(len, n), len), n == shortest) << len << " in " << n;
        }
        EXPECT_EQ(accepts({4, 0x80}, len), 0) << "the indefinite length, " << len;
    }
    // more bytes than a size_t has, of which the lowest ones give the true length
    for (size_t n = sizeof(size_t) + 1; n < 20; n++) {
        Bytes head = long_form(0x90, n);
        head[2] = 1;
        EXPECT_EQ(accepts(head, 0x90), 0) << n;
    }
    EXPECT_EQ(accepts(cat({ 4, 0x80 + sizeof(size_t) }, Bytes(sizeof(size_t), 0xff)), 200), 0)
        << "a sum would wrap around";
}

TEST(Der, ALengthBeyondTheEndIsRefusedAndNothingBeyondIsRead)
{
    for (size_t len : {1u, 2u, 0x7fu, 0x80u, 0xffu, 0x100u, 0x200u}) {
        const Bytes head =
            len < 0x80 ? Bytes{ 4, (uint8_t)len } : long_form(len, len < 0x100 ? 1 : 2);
        for (size_t missing = 1; missing <= std::min<size_t>(len, 5); missing++) {
            const Bytes all = cat(head, Bytes(len - missing, 4));
            Guarded in(all.data(), all.size());
            ty_der der = ty_der_from(in.data(), in.size());
            EXPECT_EQ(ty_der_enter(&der, TY_DER_OCTETS).bad, 1) << len << " - " << missing;
            // the reader stays bad
            uint8_t x[4] = {9, 9, 9, 9};
            EXPECT_EQ(ty_der_tag(&der), 0);
            EXPECT_EQ(ty_der_done(&der), 0);
            EXPECT_EQ(ty_der_enter(&der, TY_DER_OCTETS).bad, 1);
            EXPECT_EQ(ty_der_u32(&der), 0u);
            ty_der_uint(x, 4, &der);
            EXPECT_EQ(hex(x, 4), "00000000");
            EXPECT_EQ(ty_der_done(&der), 0);
        }
        for (size_t cut = 0; cut < head.size(); cut++)
            EXPECT_EQ(accepts(Bytes(head.begin(), head.begin() + (long)cut), 0), 0);
    }
    EXPECT_EQ(accepts({5, 0}, 0), 0) << "another tag";
}

TEST(Der, Integers)
{
    const struct { const char *der; size_t n; const char *value;
    } rows[] = {
        { "020100", 1, "00" },
        { "020100", 4, "00000000" },
        { "020101", 2, "0001" },
        { "02017f", 1, "7f" },
        { "02020080", 1, "80" },
        { "020200ff", 2, "00ff" },
        { "02020100", 2, "0100" },
        { "020500ffffffff", 4, "ffffffff" },
        { "02047fffffff", 4, "7fffffff" },
        // no contents
        { "0200", 1, nullptr },
        { "0200", 4, nullptr },
        // negative
        { "020180", 1, nullptr },
        { "0201ff", 4, nullptr },
        { "0202ff80", 4, nullptr },
        // not the shortest encoding
        { "02020000", 2, nullptr },
        { "02020001", 2, nullptr },
        { "0202007f", 4, nullptr },
        { "0203000080", 4, nullptr },
        // too long for n bytes
        { "02020100", 1, nullptr },
        { "0203008000", 1, nullptr },
        { "02050100000000", 4, nullptr },
        { "020600ffffffffff", 4, nullptr },
        // another tag, and truncated
        { "030100", 1, nullptr },
        { "02", 1, nullptr },
        { "", 1, nullptr },
        { "0202", 2, nullptr },
        { "020200", 2, nullptr },
    };
    for (const auto &r : rows) {
        const Bytes der = unhex(r.der);
        Guarded in(der.data(), der.size()), out(r.n);
        std::memset(out.data(), 0xee, r.n);
        ty_der reader = ty_der_from(in.data(), in.size());
        ty_der_uint(out.data(), r.n, &reader);
        EXPECT_EQ(ty_der_done(&reader), r.value != nullptr) << r.der;
        EXPECT_EQ(hex(out.data(), r.n), r.value ? r.value : std::string(2 * r.n, '0')) << r.der;
        if (!r.value) continue;
        // write it again
        Bytes again(der.size());
        ty_der_out o = ty_der_to(again.data(), again.size());
        ty_der_put_uint(&o, out.data(), r.n);
        EXPECT_EQ(o.bad, 0);
        EXPECT_EQ(o.p, again.data());
        EXPECT_EQ(hex(again), r.der);
        EXPECT_EQ(ty_der_uint_size(out.data(), r.n), der.size());
    }
    // an INTEGER without contents, followed by bytes that could be mistaken for them
    const Bytes two = unhex("0200020105");
    ty_der reader = ty_der_from(two.data(), two.size());
    EXPECT_EQ(ty_der_u32(&reader), 0u);
    EXPECT_EQ(reader.bad, 1);
}

TEST(Der, ContentsAreComparedWhole)
{
    const Bytes oid = unhex("2a811ccf5501822d");
    for (size_t len = 0; len <= oid.size() + 1; len++) {
        Bytes x = oid;
        x.resize(len, 0x01);
        Guarded in(x.data(), x.size());
        ty_der c = ty_der_from(in.data(), len);
        EXPECT_EQ(ty_der_is(&c, oid.data(), oid.size()), len == oid.size()) << len;
        c.bad = 1;
        EXPECT_EQ(ty_der_is(&c, oid.data(), oid.size()), 0);
    }
    for (size_t bit = 0; bit < 8 * oid.size(); bit++) {
        Bytes x = oid;
        x[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const ty_der c = ty_der_from(x.data(), x.size());
        EXPECT_EQ(ty_der_is(&c, oid.data(), oid.size()), 0) << bit;
    }
}

TEST(Der, WriterAndReaderAgreeWithinTheBuffer)
{
    for (size_t len : {0u, 1u, 0x7fu, 0x80u, 0xffu, 0x100u, 0xffffu, 0x10000u}) {
        const size_t need = ty_der_size(len);
        const Bytes contents(len, 0x55);
        for (size_t room : {need, need - 1, len, len / 2}) {
            Guarded out(room, Guarded::Start);   // the writer fills it from the end
            ty_der_out o = ty_der_to(out.data(), room);
            ty_der_put(&o, contents.data(), len);
            ty_der_wrap(&o, TY_DER_OCTETS, out.data() + room);
            EXPECT_EQ(o.bad, room != need) << len << " in " << room;
            if (o.bad) {
                ty_der_put_byte(&o, 1);
                EXPECT_EQ(o.bad, 1) << "the writer stays bad";
                continue;
            }
            EXPECT_EQ(o.p, out.data());
            ty_der der = ty_der_from(out.data(), room);
            EXPECT_EQ(ty_der_tag(&der), TY_DER_OCTETS);
            EXPECT_EQ(ty_der_enter(&der, TY_DER_OCTETS).len, len);
            EXPECT_EQ(ty_der_done(&der), 1);
        }
    }
}
