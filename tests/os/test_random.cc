// The system's random source
#include "support/guard.hpp"
#include "tongyu/os.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

static std::string draw(size_t n)
{
    std::string s(n, '\0');
    const ty_rng *r = ty_rng_system();
    EXPECT_EQ(r->fill(r->ctx, (uint8_t *)&s[0], n), TY_OK);
    return s;
}

TEST(Random, IsAlwaysTheSameSource)
{
    ASSERT_NE(ty_rng_system(), nullptr);
    EXPECT_EQ(ty_rng_system(), ty_rng_system());
    draw(0);
}

TEST(Random, FillsExactlyTheRange)
{
    for (size_t n : {1u, 16u, 255u, 256u, 257u, 4096u}) {
        Guarded b(n, Guarded::End), c(n, Guarded::Start);
        const ty_rng *r = ty_rng_system();
        EXPECT_EQ(r->fill(r->ctx, b.data(), n), TY_OK);
        EXPECT_EQ(r->fill(r->ctx, c.data(), n), TY_OK);
    }
}

// This does not test randomness, for which the system is responsible, but that every byte is
// written and every draw is new.
TEST(Random, EveryByteVariesAndNoDrawRepeats)
{
    std::set<std::string> seen;
    std::string any(600, '\0');
    for (int i = 0; i < 64; i++) {
        const std::string s = draw(600);
        EXPECT_TRUE(seen.insert(s).second);
        for (size_t j = 0; j < s.size(); j++) any[j] = (char)(any[j] | s[j]);
    }
    for (size_t j = 0; j < any.size(); j++) EXPECT_EQ((uint8_t)any[j], 0xff) << j;
}

#if !defined(_WIN32)   // Windows has no fork
TEST(Random, TwoChildrenOfOneForkDifferFromEachOtherAndTheParent)
{
    draw(32);   // if the source had a state, it would be seeded from here on
    std::set<std::string> seen;
    for (int child = 0; child < 2; child++) {
        int p[2];
        ASSERT_EQ(pipe(p), 0);
        const pid_t pid = fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) {
            const std::string s = draw(32);
            _exit(write(p[1], s.data(), s.size()) == (ssize_t)s.size() ? 0 : 1);
        }
        std::string s(32, '\0');
        ASSERT_EQ(read(p[0], &s[0], s.size()), (ssize_t)s.size());
        int status;
        ASSERT_EQ(waitpid(pid, &status, 0), pid);
        EXPECT_EQ(status, 0);
        close(p[0]);
        close(p[1]);
        EXPECT_TRUE(seen.insert(s).second);
    }
    EXPECT_TRUE(seen.insert(draw(32)).second);
}
#endif
