// Ledgers, which verify columns and cache precomputed keys: with every form of column, any capacity
// for keys and any order of rows, the verdicts are those of one call per row. Names are SM2's ids.
#include "sm2/sm2_support.hpp"
#include "tongyu/ledger.h"
#include "tongyu/mldsa.h"
#include "tongyu/sm2_many.h"
#include <algorithm>
#include <memory>
extern "C" {
#include "many/ledger.h"
}

namespace {

// --- Columns

struct Cell {
    bool null;
    Bytes bytes;
};

// The cells as a column of one form, which begins after `skip` other rows; buffers end at guard
// pages.
struct Column {
    ty_column c{};
    std::unique_ptr<Guarded> data, offsets, valid;
    std::vector<ty_column_item> items;
    Column(const std::vector<Cell> &cells, ty_column_form form, size_t skip)
    {
        std::vector<Cell> all(skip, Cell{true, {}});
        all.insert(all.end(), cells.begin(), cells.end());
        Bytes text, bits((all.size() + 7) / 8);
        std::vector<int32_t> narrow{0};
        std::vector<int64_t> wide{0};
        c.form = form;
        c.first = skip;
        c.width = cells.empty() ? 0 : cells[0].bytes.size();
        for (size_t i = 0; i < all.size(); i++) {
            if (form == TY_COLUMN_FIXED) all[i].bytes.resize(c.width);
            text.insert(text.end(), all[i].bytes.begin(), all[i].bytes.end());
            narrow.push_back((int32_t)text.size());
            wide.push_back((int64_t)text.size());
            if (!all[i].null) bits[i / 8] |= (uint8_t)(1 << i % 8);
        }
        data = std::make_unique<Guarded>(text.data(), text.size());
        valid = std::make_unique<Guarded>(bits.data(), bits.size());
        c.data = data->data();
        c.data_len = text.size();
        c.valid = valid->data();
        if (form == TY_COLUMN_OFFSETS_32)
            offsets = std::make_unique<Guarded>(narrow.data(), 4 * narrow.size());
        if (form == TY_COLUMN_OFFSETS_64)
            offsets = std::make_unique<Guarded>(wide.data(), 8 * wide.size());
        if (offsets) c.offsets = offsets->data();
        if (form != TY_COLUMN_ITEMS) return;
        for (size_t i = 0; i < all.size(); i++)
            items.push_back({data->data() + wide[i], all[i].null ? SIZE_MAX : all[i].bytes.size()});
        c.items = items.data();
        c.valid = nullptr;
    }
};

bool bit(const Bytes &bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }

// --- SM2

struct Row {
    Cell msg, sig, pub, id;
    ty_ledger_verdict want;
};

// The verdict of ty_sm2_verify, after the checks of lengths and nulls that a ledger makes.
ty_ledger_verdict one_by_one(const Row &r)
{
    ty_sm2_pub pub;
    if (r.msg.null || r.sig.null || r.pub.null || r.id.null) return TY_LEDGER_NULL;
    if (r.sig.bytes.size() != 64) return TY_LEDGER_BAD_SIG;
    if (r.id.bytes.size() > TY_SM2_ID_MAX) return TY_LEDGER_BAD_ID;
    if (ty_sm2_pub_set(&pub, r.pub.bytes.data(), r.pub.bytes.size()) != TY_OK)
        return TY_LEDGER_BAD_KEY;
    return ty_sm2_verify(r.sig.bytes.data(), r.msg.bytes.data(), r.msg.bytes.size(),
                         r.id.bytes.data(), r.id.bytes.size(), &pub) == TY_OK
               ? TY_LEDGER_GOOD
               : TY_LEDGER_WRONG;
}

Bytes encoded(const ty_sm2_pub &pub, size_t form)
{
    Bytes whole = pub_bytes(pub), small(33);
    ty_sm2_pub_get_compressed(small.data(), &pub);
    return form == 0 ? Bytes(whole.begin() + 1, whole.end()) : form == 1 ? whole : small;
}

// n rows by `signers` signers, every seventh row altered in one of ten ways. fixed: every
// field is as long as in the first row; own_ids: each row has a random name, otherwise ID.
std::vector<Row> rows_of(size_t n, size_t signers, bool fixed, bool own_ids, uint64_t seed)
{
    TestRng r(seed);
    const ty_rng rng = r.ty();
    std::vector<ty_sm2_key> keys(signers);
    for (ty_sm2_key &k : keys) EXPECT_EQ(ty_sm2_keygen(&k, &rng), TY_OK);
    std::vector<Row> rows(n);
    for (size_t i = 0; i < n; i++) {
        Row &row = rows[i];
        const size_t who = r.below(signers);
        row.msg = {false, r.bytes(fixed ? 40 : r.below(300))};
        row.id = {false, own_ids ? r.bytes(r.below(3) ? 5 : 100) : ID};
        row.pub = {false, encoded(keys[who].pub, fixed ? 0 : who % 3)};
        row.sig = {false, Bytes(64)};
        EXPECT_EQ(ty_sm2_sign(row.sig.bytes.data(), row.msg.bytes.data(), row.msg.bytes.size(),
                              row.id.bytes.data(), row.id.bytes.size(), &keys[who], &rng),
                  TY_OK);
        switch (i % 7 ? 99 : i / 7 % 10) {
        case 0: row.sig.bytes[r.below(64)] ^= 1; break;
        case 1: row.pub.bytes.back() ^= 1; break;   // in 65 bytes, beyond what the cache hashes
        case 2: row.msg.null = true; break;
        case 3: row.pub.null = true; break;
        case 4: row.sig.null = true; break;
        case 5: if (!fixed) row.sig.bytes.pop_back(); break;
        case 6: if (!fixed) row.pub.bytes.clear(); break;
        case 7: std::fill(row.sig.bytes.begin(), row.sig.bytes.end(), 0); break;
        case 8: if (own_ids) row.id.bytes = Bytes(8192); break;
        case 9: if (own_ids) row.id.null = true; break;
        }
        row.want = one_by_one(row);
    }
    return rows;
}

struct Sm2 {
    static size_t size(size_t keys) { return ty_sm2_ledger_size(keys); }
    static ty_err init(ty_sm2_ledger **l, void *m, size_t len, size_t keys)
    {
        return ty_sm2_ledger_init(l, m, len, keys);
    }
    static ty_err verify(uint8_t *g, uint8_t *w, const ty_ledger_rows *r, size_t n,
                         ty_sm2_ledger *l)
    {
        return ty_sm2_ledger_verify(g, w, r, n, l);
    }
    using Ledger = ty_sm2_ledger;
};
struct Mldsa {
    static size_t size(size_t keys) { return ty_mldsa_ledger_size(keys); }
    static ty_err init(ty_mldsa_ledger **l, void *m, size_t len, size_t keys)
    {
        return ty_mldsa_ledger_init(l, m, len, keys);
    }
    static ty_err verify(uint8_t *g, uint8_t *w, const ty_ledger_rows *r, size_t n,
                         ty_mldsa_ledger *l)
    {
        return ty_mldsa_ledger_verify(g, w, r, n, l);
    }
    using Ledger = ty_mldsa_ledger;
};

// A ledger whose memory ends at a guard page and begins at any alignment.
template <class F> struct Book {
    Guarded memory;
    typename F::Ledger *ledger = nullptr;
    explicit Book(size_t keys, size_t shift = 0) : memory(F::size(keys) + shift)
    {
        EXPECT_EQ(F::init(&ledger, memory.data() + shift, memory.size() - shift, keys), TY_OK);
    }
};

// Verifies the rows as columns of this form, and compares the verdicts. own_ids: names are in a
// column; otherwise there is no such column, and the default name is used.
template <class F>
void check(const std::vector<Row> &rows, ty_column_form form, size_t skip, bool own_ids,
           typename F::Ledger *ledger)
{
    std::vector<Cell> msg, sig, pub, id;
    for (const Row &r : rows)
        msg.push_back(r.msg), sig.push_back(r.sig), pub.push_back(r.pub), id.push_back(r.id);
    const Column m(msg, form, skip), s(sig, form, skip ? skip - 1 : 0), p(pub, form, skip),
        i(id, form, 0);
    ty_ledger_rows columns = {m.c, s.c, p.c, i.c};
    if (!own_ids) columns.id = {};
    Guarded good((rows.size() + 7) / 8), why(rows.size());
    std::memset(good.data(), 0xff, good.size());
    ASSERT_EQ(F::verify(good.data(), why.data(), &columns, rows.size(), ledger), TY_OK);
    const Bytes bits(good.data(), good.data() + good.size());
    for (size_t j = 0; j < rows.size(); j++) {
        ASSERT_EQ((int)why.data()[j], (int)rows[j].want)
            << j << " of " << rows.size() << ", form " << form;
        ASSERT_EQ(bit(bits, j), rows[j].want == TY_LEDGER_GOOD) << j;
    }
    for (size_t j = rows.size(); j < 8 * good.size(); j++)
        EXPECT_FALSE(bit(bits, j)) << "after the last row";
    std::memset(good.data(), 0, good.size());
    ASSERT_EQ(F::verify(good.data(), nullptr, &columns, rows.size(), ledger), TY_OK);
    EXPECT_EQ(Bytes(good.data(), good.data() + good.size()), bits) << "again, without reasons";
}

}   // namespace

TEST(Ledger, AnswersAsOneByOne)
{
    each_tier([] {
        std::set<int> met;
        const size_t n = (size_t)few(150);
        const auto plain = rows_of(n, 6, false, false, 1), own = rows_of(n, 6, false, true, 2),
                   fixed = rows_of(n, 6, true, false, 3);
        for (size_t keys : {1, 3, 64}) {
            Book<Sm2> book(keys, keys);
            for (ty_column_form form :
                 { TY_COLUMN_OFFSETS_32, TY_COLUMN_OFFSETS_64, TY_COLUMN_ITEMS }) {
                check<Sm2>(plain, form, form == TY_COLUMN_OFFSETS_64 ? 11 : 0, false, book.ledger);
                if (!tier_is_slow()) check<Sm2>(own, form, 3, true, book.ledger);
            }
            check<Sm2>(fixed, TY_COLUMN_FIXED, 5, false, book.ledger);
            check<Sm2>({}, TY_COLUMN_FIXED, 0, false, book.ledger);
        }
        for (const auto &rows : {plain, own, fixed})
            for (const Row &r : rows) met.insert(r.want);
        if (!tier_is_slow()) {
            EXPECT_EQ(met.size(), (size_t)TY_LEDGER_VERDICTS) << "every verdict occurs";
        }
    });
}

// ty_sm2_many_verify, the library's own batch, gives the same verdicts.
TEST(Ledger, AnswersAsTheBatch)
{
    const auto rows = rows_of(sampling() ? 400 : 2000, 40, false, false, 4);
    std::vector<ty_sm2_pub> pubs(rows.size());
    std::vector<ty_sm2_verify_job> jobs;
    std::vector<size_t> who;
    for (size_t i = 0; i < rows.size(); i++) {
        const Row &r = rows[i];
        if (r.want != TY_LEDGER_GOOD && r.want != TY_LEDGER_WRONG) continue;
        ASSERT_EQ(ty_sm2_pub_set(&pubs[i], r.pub.bytes.data(), r.pub.bytes.size()), TY_OK);
        jobs.push_back({ r.sig.bytes.data(), nullptr, r.msg.bytes.data(), r.msg.bytes.size(),
                         ID.data(), ID.size(), &pubs[i], TY_OK });
        who.push_back(i);
    }
    EXPECT_EQ(ty_sm2_many_verify(jobs.data(), jobs.size()), TY_ERR_VERIFY);
    for (size_t j = 0; j < jobs.size(); j++)
        EXPECT_EQ(jobs[j].err == TY_OK, rows[who[j]].want == TY_LEDGER_GOOD) << j;
    Book<Sm2> book(16);
    check<Sm2>(rows, TY_COLUMN_OFFSETS_32, 0, false, book.ledger);
}

// More rows than a batch holds, in several orders: a row's verdict does not depend on its place.
TEST(Ledger, OrderDoesNotMatter)
{
    auto rows = rows_of(300, 9, false, false, 5);
    for (size_t i = 0; rows.size() < (sampling() ? 1 : 2) * TY_LEDGER_ROWS + 77; i++)
        rows.push_back(rows[i % 300 / 7 * 7]);   // most of them are bad
    TestRng r(6);
    Book<Sm2> book(4);
    for (int round = sampling(); round < 2; round++) {
        for (size_t i = rows.size(); i > 1; i--) std::swap(rows[i - 1], rows[r.below(i)]);
        check<Sm2>(rows, TY_COLUMN_OFFSETS_32, 1, false, book.ledger);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row &a, const Row &b) { return a.pub.bytes < b.pub.bytes; });
    check<Sm2>(rows, TY_COLUMN_OFFSETS_32, 0, false, book.ledger);
}

// Z for one name, cached with a precomputed key, is not used for another name.
TEST(Ledger, NamesChangeBetweenCalls)
{
    const ty_sm2_key key = key_of(number(77));
    TestRng r(7);
    const ty_rng rng = r.ty();
    Book<Sm2> book(2);
    const Bytes names[] = {ID, bytes("a"), Bytes(), Bytes(64, 'b'), Bytes(65, 'c'), bytes("a"), ID};
    for (const Bytes &signed_as : names)
        for (const Bytes &asked : names) {
            std::vector<Cell> msg, sig, pub;
            for (int i = 0; i < 20; i++) {
                msg.push_back({false, r.bytes(10)});
                sig.push_back({false, Bytes(64)});
                pub.push_back({false, encoded(key.pub, 0)});
                ASSERT_EQ(ty_sm2_sign(sig.back().bytes.data(), msg.back().bytes.data(), 10,
                                      signed_as.data(), signed_as.size(), &key, &rng),
                          TY_OK);
            }
            const Column m(msg, TY_COLUMN_FIXED, 0), s(sig, TY_COLUMN_FIXED, 0),
                p(pub, TY_COLUMN_FIXED, 0);
            ty_ledger_rows columns = {m.c, s.c, p.c, {}};
            columns.id.form = TY_COLUMN_SAME;
            columns.id.data = asked.data();
            columns.id.data_len = asked.size();
            Bytes good(3), want = signed_as == asked ? Bytes{255, 255, 15} : Bytes(3);
            ASSERT_EQ(ty_sm2_ledger_verify(good.data(), nullptr, &columns, 20, book.ledger), TY_OK);
            EXPECT_EQ(good, want) << signed_as.size() << " " << asked.size();
        }
    const Bytes too_long(8192), none = {0};
    const Column m({{false, {1}}}, TY_COLUMN_FIXED, 0), s({{false, Bytes(64)}}, TY_COLUMN_FIXED, 0);
    ty_ledger_rows columns = {m.c, s.c, s.c, {}};
    columns.id.form = TY_COLUMN_SAME;
    columns.id.data = too_long.data();
    columns.id.data_len = too_long.size();
    Bytes good(1, 7), why(1);
    ASSERT_EQ(ty_sm2_ledger_verify(good.data(), why.data(), &columns, 1, book.ledger), TY_OK);
    EXPECT_EQ(why[0], TY_LEDGER_BAD_ID);
    columns.id.valid = none.data();
    ASSERT_EQ(ty_sm2_ledger_verify(good.data(), why.data(), &columns, 1, book.ledger), TY_OK);
    EXPECT_EQ(why[0], TY_LEDGER_NULL);
}

// --- Bad columns

TEST(Ledger, RefusesBadColumns)
{
    const auto rows = rows_of(20, 2, true, false, 8);
    std::vector<Cell> msg, sig, pub;
    for (const Row &r : rows) msg.push_back(r.msg), sig.push_back(r.sig), pub.push_back(r.pub);
    const Column s(sig, TY_COLUMN_FIXED, 0), p(pub, TY_COLUMN_FIXED, 0);
    Book<Sm2> book(2);
    const auto refuse = [&](const ty_column &bad, ty_err err, size_t row) {
        Bytes good(3, 0xaa), why(20, 0xaa);
        size_t at = 99;
        EXPECT_EQ(ty_column_check(&bad, 20, &at), err);
        EXPECT_EQ(at, row);
        for (int place = 0; place < 4; place++) {
            ty_ledger_rows columns = {s.c, s.c, p.c, {}};
            (&columns.msg)[place] = bad;
            EXPECT_EQ(ty_sm2_ledger_verify(good.data(), why.data(), &columns, 20, book.ledger),
                      err);
        }
        EXPECT_EQ(good, Bytes(3, 0xaa));
        EXPECT_EQ(why, Bytes(20, 0xaa));
    };
    for (ty_column_form form : {TY_COLUMN_OFFSETS_32, TY_COLUMN_OFFSETS_64}) {
        const auto with = [&](size_t at, int64_t value) {
            Column c(msg, form, 4);
            if (form == TY_COLUMN_OFFSETS_64) std::memcpy(c.offsets->data() + 8 * at, &value, 8);
            const int32_t narrow = (int32_t)value;
            if (form == TY_COLUMN_OFFSETS_32) std::memcpy(c.offsets->data() + 4 * at, &narrow, 4);
            return c;
        };
        refuse(with(10, 0).c, TY_ERR_FORMAT, 5);              // backwards
        refuse(with(4, -1).c, TY_ERR_FORMAT, 0);              // below the data
        refuse(with(24, 1000000).c, TY_ERR_FORMAT, 19);       // beyond them
        refuse(with(12, INT32_MAX).c, TY_ERR_FORMAT, 7);
        const Column before = with(3, -5);
        EXPECT_EQ(ty_column_check(&before.c, 20, nullptr), TY_OK) << "not of this slice";
    }
    ty_column bad = p.c;
    bad.data_len--;
    refuse(bad, TY_ERR_FORMAT, 19);
    bad.first = SIZE_MAX / 64;
    refuse(bad, TY_ERR_FORMAT, 0);
    bad.first = SIZE_MAX;
    refuse(bad, TY_ERR_ARG, 0);
    bad = p.c;
    bad.form = (ty_column_form)6;
    refuse(bad, TY_ERR_ARG, 0);
    Bytes good(3);
    for (int place = 0; place < 3; place++) {
        ty_ledger_rows columns = {s.c, s.c, p.c, {}};
        (&columns.msg)[place] = {};
        EXPECT_EQ(ty_sm2_ledger_verify(good.data(), nullptr, &columns, 20, book.ledger),
                  TY_ERR_ARG);
    }
}

template <class F> void memory_too_small()
{
    typename F::Ledger *ledger = (typename F::Ledger *)(void *)&ledger;
    Bytes memory(F::size(3));
    EXPECT_EQ(F::init(&ledger, memory.data(), memory.size() - 1, 3), TY_ERR_SIZE);
    EXPECT_EQ(ledger, nullptr);
    EXPECT_EQ(F::init(&ledger, memory.data(), memory.size(), 0), TY_ERR_ARG);
    EXPECT_EQ(F::init(&ledger, memory.data(), memory.size(), SIZE_MAX / 4), TY_ERR_SIZE);
    EXPECT_EQ(F::size(SIZE_MAX / 4), 0u);
    EXPECT_EQ(F::size(UINT32_MAX / 2), 0u);
    EXPECT_EQ(F::init(&ledger, memory.data(), memory.size(), 3), TY_OK);
}
TEST(Ledger, MemoryTooSmall) { memory_too_small<Sm2>(), memory_too_small<Mldsa>(); }

// --- Which keys stay ready

namespace {

// The cache alone, with numbers as keys; counts how many were precomputed.
struct Cache {
    ty_ledger_cache c;
    std::vector<uint8_t> memory;
    std::vector<uint64_t> held;
    size_t built = 0, for_now = 0, hits = 0;
    explicit Cache(size_t keys) : held(keys + 1)
    {
        ty_ledger_memory m = {nullptr, 63};
        ty_ledger_parts(&c, &m, keys);
        memory.resize(m.at);
        m = {memory.data(), (size_t)(-(uintptr_t)memory.data() % 64)};
        ty_ledger_parts(&c, &m, keys);
        ty_ledger_reset(&c, keys);
    }
    static int same(const void *held, size_t place, const ty_column_item *bytes)
    {
        return std::memcmp((const uint64_t *)held + place, bytes->p, 8) == 0;
    }
    void batch(const std::vector<uint64_t> &keys, size_t pays)
    {
        ty_column column = {};
        column.form = TY_COLUMN_FIXED;
        column.width = 8;
        column.data = (const uint8_t *)keys.data();
        column.data_len = 8 * keys.size();
        std::fill(c.number, c.number + keys.size(), 0);
        ty_ledger_sort(&c, &column, 0, keys.size());
        size_t next = 0;
        for (size_t k = 0; k < c.key_n; k++) {
            const ty_ledger_key &key = c.key[k];
            EXPECT_EQ(key.from, next) << "the rows of a key are adjacent";
            next += key.rows;
            for (size_t j = 0; j < key.rows; j++) {
                EXPECT_EQ(keys[c.order[key.from + j]], *(const uint64_t *)key.bytes.p);
                if (j) {
                    EXPECT_LT(c.order[key.from + j - 1], c.order[key.from + j]) << "ascending";
                }
            }
            if (ty_ledger_find(&c, &key, same, held.data()) != TY_LEDGER_NO) {
                hits += key.rows;
                continue;
            }
            const uint32_t place = ty_ledger_room(&c, &key, pays);
            if (place == TY_LEDGER_NO) continue;
            ASSERT_LE(place, held.size() - 1);
            (place == held.size() - 1 ? for_now : built)++;
            std::memcpy(&held[place], key.bytes.p, 8);
            ty_ledger_made(&c, &key, place);
        }
        EXPECT_EQ(next, keys.size());
    }
};

std::vector<uint64_t> repeat(std::initializer_list<uint64_t> keys, size_t each)
{
    std::vector<uint64_t> out;
    for (size_t i = 0; i < each; i++) out.insert(out.end(), keys.begin(), keys.end());
    return out;
}

}   // namespace

TEST(LedgerCache, ReadyWhenItPays)
{
    Cache c(4);
    c.batch(repeat({1}, 7), 8);
    EXPECT_EQ(c.built, 0u) << "too few";
    c.batch(repeat({1, 2}, 1), 8);
    EXPECT_EQ(c.built, 1u) << "eight in two batches";
    c.batch(repeat({1, 2}, 1), 8);
    EXPECT_EQ(c.hits, 1u);
    Cache once(4);
    for (uint64_t k = 0; k < 1000; k += 100) {
        std::vector<uint64_t> keys;
        for (uint64_t j = 0; j < 100; j++) keys.push_back(k + j);
        once.batch(keys, 8);
    }
    EXPECT_EQ(once.built + once.for_now, 0u) << "keys seen once are not precomputed";
}

TEST(LedgerCache, LeastRecentlyUsedGivesWay)
{
    Cache c(3);
    for (uint64_t k : {1, 2, 3, 1}) c.batch(repeat({k}, 9), 8);
    c.batch(repeat({4}, 9), 8);   // in place of 2
    EXPECT_EQ(c.built, 4u);
    c.hits = 0;
    c.batch(repeat({1, 3, 4}, 1), 8);
    EXPECT_EQ(c.hits, 3u);
    c.batch(repeat({2}, 1), 8);
    EXPECT_EQ(c.hits, 3u) << "2 was evicted";
}

// 5 keys in turn, room for 3, two rows in each batch: three of them stay, and none is precomputed
// again and again.
TEST(LedgerCache, TurnsDoNotThrash)
{
    Cache c(3);
    for (int i = 0; i < 500; i++) c.batch(repeat({(uint64_t)i % 5}, 2), 8);
    EXPECT_LE(c.built, 6u);
    EXPECT_GT(c.hits, 500u);
}

// Four keys with enough rows each in one batch, and room for two: the other two are precomputed for
// that batch alone, and evict none.
TEST(LedgerCache, ReadyForNow)
{
    Cache c(2);
    for (int i = 0; i < 3; i++) c.batch(repeat({1, 2, 3, 4}, 10), 8);
    EXPECT_EQ(c.built, 2u);
    EXPECT_EQ(c.for_now, 6u);
    EXPECT_EQ(c.hits, 40u);
}

// --- ML-DSA

TEST(Ledger, MldsaAnswersAsOneByOne)
{
    TestRng r(9);
    std::vector<std::unique_ptr<ty_mldsa_key>> keys;
    for (ty_mldsa_set set : {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87})
        for (int i = 0; i < 3; i++) {
            keys.emplace_back(new ty_mldsa_key);
            ASSERT_EQ(ty_mldsa_key_from_seed(keys.back().get(), r.bytes(32).data(), set), TY_OK);
        }
    std::vector<Row> rows(120);
    std::set<int> met;
    for (size_t i = 0; i < rows.size(); i++) {
        Row &row = rows[i];
        ty_mldsa_key *key = keys[i % 13 == 12 ? 8 : r.below(8)].get();
        row.msg = {false, r.bytes(r.below(300))};
        row.id = {false, r.bytes(r.below(3) ? 0 : 255)};
        row.sig = {false, Bytes(ty_mldsa_sig_len(key->pub.set))};
        row.pub = {false, Bytes(key->pub.bytes, key->pub.bytes + ty_mldsa_pub_len(key->pub.set))};
        ASSERT_EQ(ty_mldsa_sign(row.sig.bytes.data(), row.sig.bytes.size(), row.msg.bytes.data(),
                                row.msg.bytes.size(), row.id.bytes.data(), row.id.bytes.size(), key,
                                nullptr),
                  TY_OK);
        row.want = TY_LEDGER_GOOD;
        switch (i % 5 ? 99 : i / 5 % 8) {
        case 0:
            row.sig.bytes[r.below(row.sig.bytes.size())] ^= 1, row.want = TY_LEDGER_WRONG;
            break;
        case 1: row.pub.bytes.back() ^= 1, row.want = TY_LEDGER_WRONG; break;
        case 2: row.pub.bytes.pop_back(), row.want = TY_LEDGER_BAD_KEY; break;
        case 3: row.sig.bytes.push_back(0), row.want = TY_LEDGER_BAD_SIG; break;
        case 4: row.id.bytes = Bytes(256), row.want = TY_LEDGER_BAD_ID; break;
        case 5: row.sig.null = true, row.want = TY_LEDGER_NULL; break;
        case 6: row.id.null = true, row.want = TY_LEDGER_NULL; break;
        case 7: row.msg.bytes.push_back(1), row.want = TY_LEDGER_WRONG; break;
        }
        met.insert(row.want);
    }
    EXPECT_EQ(met.size(), (size_t)TY_LEDGER_VERDICTS);
    for (const char *tier : {"c", (const char *)nullptr}) {
        ASSERT_EQ(ty_tier_limit(tier), TY_OK);
        for (size_t room : {1, 4, 20}) {
            Book<Mldsa> book(room, 8);
            check<Mldsa>(rows, TY_COLUMN_OFFSETS_32, 0, true, book.ledger);
            check<Mldsa>(rows, TY_COLUMN_ITEMS, 2, true, book.ledger);
        }
    }
}
