// ty_parallel: every number is processed once; threads, their signals, errors.
#include "tongyu/os.h"
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
static bool signals_blocked()
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    return sigismember(&mask, SIGINT) == 1;
}
#else   // Windows has no signals to block: these are the answers that the tests expect
static const std::thread::id first = std::this_thread::get_id();
static bool signals_blocked() { return std::this_thread::get_id() != first; }
#endif

struct Record {
    std::vector<std::atomic<int>> seen;
    std::atomic<size_t> calls{0}, longest{0};
    std::vector<size_t> failing;   // ranges that begin at these numbers fail
    std::mutex lock;
    std::set<std::thread::id> threads;
    // every call waits until this many threads have called, or a second has passed
    size_t wait_for = 0;
    bool blocked = true;   // signals, on all new threads
    std::thread::id caller = std::this_thread::get_id();
    explicit Record(size_t n) : seen(n) {}

    static ty_err part(void *ctx, size_t from, size_t to)
    {
        auto *r = (Record *)ctx;
        r->calls++;
        EXPECT_LT(from, to);
        for (size_t i = from; i < to; i++) r->seen.at(i)++;
        size_t longest = r->longest;
        while (longest < to - from && !r->longest.compare_exchange_weak(longest, to - from)) {}
        {
            std::lock_guard<std::mutex> hold(r->lock);
            r->threads.insert(std::this_thread::get_id());
            if (std::this_thread::get_id() != r->caller) r->blocked &= signals_blocked();
        }
        for (int ms = 0; ms < 1000; ms++) {
            {
                std::lock_guard<std::mutex> hold(r->lock);
                if (r->threads.size() >= r->wait_for) break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (!std::count(r->failing.begin(), r->failing.end(), from)) return TY_OK;
        return from < 50 ? TY_ERR_SIZE : TY_ERR_KEY;
    }
    void all_once() const
    {
        for (size_t i = 0; i < seen.size(); i++) ASSERT_EQ(seen[i], 1) << i;
    }
};

TEST(Parallel, EveryNumberOnce)
{
    for (size_t n : {0, 1, 2, 63, 64, 65, 1000})
        for (size_t grain : {(size_t)0, (size_t)1, (size_t)7, (size_t)64, (size_t)5000, SIZE_MAX})
            for (unsigned threads : {0u, 1u, 2u, 5u, 1000u}) {
                Record r(n);
                ASSERT_EQ(ty_parallel(n, grain, threads, Record::part, &r), TY_OK);
                r.all_once();
                const size_t g = grain ? grain : 1;
                EXPECT_EQ(r.calls, n / g + (n % g != 0));
                EXPECT_LE(r.longest, g);
                EXPECT_LE(r.threads.size(), std::min<size_t>(threads ? threads : 64, 64));
            }
}

TEST(Parallel, UsesTheRequestedThreads)
{
    Record r(4);
    r.wait_for = 4;
    ASSERT_EQ(ty_parallel(4, 1, 4, Record::part, &r), TY_OK);
    r.all_once();
    EXPECT_EQ(r.threads.size(), 4u);
    EXPECT_EQ(r.threads.count(r.caller), 1u) << "the caller works too";
    EXPECT_TRUE(r.blocked);
    EXPECT_FALSE(signals_blocked()) << "the caller's mask is unchanged";
    Record alone(100);
    ASSERT_EQ(ty_parallel(100, 1, 1, Record::part, &alone), TY_OK);
    EXPECT_EQ(alone.threads, std::set<std::thread::id>{alone.caller});
}

// The error is that of the lowest range that failed; all others are still processed.
TEST(Parallel, ErrorOfTheLowestRange)
{
    for (int round = 0; round < 20; round++) {
        Record r(200);
        r.failing = {40, 41, 90, 199};
        EXPECT_EQ(ty_parallel(200, 1, 4, Record::part, &r), TY_ERR_SIZE);
        r.all_once();
        Record late(200);
        late.failing = {199, 60};
        EXPECT_EQ(ty_parallel(200, 1, 0, Record::part, &late), TY_ERR_KEY);
        late.all_once();
    }
}
