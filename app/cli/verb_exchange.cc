/* exchange: the SM2 key exchange with confirmation, in three messages, each of them a file.
 *
 *     A  exchange start                      -> 1: R_A
 *     B  exchange reply (reads 1)
 *        -> 2: R_B, S_B
 *        B has the key, but does not yet know that A has it
 *     A  exchange finish (reads 2)
 *        -> 3: S_A
 *        A has the key, and knows that B has it
 *     B  exchange confirm (reads 3)
 *        B knows that A has the key
 *
 * A's ephemeral scalar, or B's secret with the confirmation that B expects, is kept in a state file
 * of mode 0600, which is removed after its use. */
#include "context.hpp"
#include "io.hpp"
#include "keys.hpp"
#include "system.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>

/* A state file is "TYKX", the version 1 and the step (1 start, 2 reply); then for A the role || r
 * of ty_sm2_kx_get, for B the confirmation that it expects (32 bytes) and the secret. */
constexpr uint32_t SECRET_MAX = 1024;
constexpr uint8_t STATE_START[] = { 'T', 'Y', 'K', 'X', 1, 1 },
                  STATE_REPLY[] = { 'T', 'Y', 'K', 'X', 1, 2 };
constexpr size_t STATE_HEAD = sizeof STATE_START, START_LEN = STATE_HEAD + TY_SM2_KX_LEN;
constexpr size_t REPLY_SECRET = STATE_HEAD + 32;   /* offset of the secret */

struct Exchange {
    std::string key, peer, in, out, state, secret;
    Identity id_peer, id_mine;
    Password password;
    uint32_t length = 16;
    bool force = false;

    /* Writes `hidden` (a state, or the secret) to the file `name`, readable only by the user, and
     * `sent`, the message for the other side, to `out`. */
    void put_both(const std::string &name, const Secret &hidden, const Secret &sent) const
    {
        Output file(name, output_flags(force, Output::PRIVATE)), msg(out, output_flags(force));
        write_both(file, hidden, msg, sent);
    }

    /* Checks all names before anything is done; private_file is the output that is not sent, and
     * `option` names it. */
    void check_files(const Context &ctx, const char *option, const std::string &private_file,
                     const std::vector<std::string> &inputs) const
    {
        refuse_two_stdins(inputs);
        refuse_same_file({private_file, or_dash(out)}, inputs);
        refuse_output(private_file, force);
        refuse_output(out, force);
        refuse_stdout(private_file, ctx.json, true, option);
        refuse_stdout(out, ctx.json, true);
    }

    Secret message(size_t len, const char *which) const
    {
        Secret m = Input(in).read_all(1024, "a message of the key exchange");
        if (m.size() != len)
            throw Failure(EXIT_INPUT, in + ": not the " + which + " message of a key exchange",
                          "check that it is the right file");
        return m;
    }

    Secret read_state(const uint8_t head[STATE_HEAD], size_t min, size_t max) const
    {
        Secret s = Input(state).read_all(4096, "the state of a key exchange");
        if (s.size() < min || s.size() > max || std::memcmp(s.data(), head, STATE_HEAD) != 0)
            throw Failure(EXIT_INPUT, state + ": not the state file that this step needs",
                          "finish reads the file of start, confirm that of reply");
        return s;
    }

    /* The file is removed, not only a link to it. What stdin or a pipe gave is left alone. */
    void remove_state(Context &ctx) const
    {
        if (is_stdin(state) || is_special(state)) return;
        const std::string file = through_links(state);
        if (unlink(file.c_str()) != 0)
            ctx.warn(file + " could not be removed: " + errno_text(errno) +
                     "; it is secret and must not be used again, so remove it");
        else if (file != state) unlink(state.c_str());
    }

    [[noreturn]] void refused() const
    {
        throw Failure(EXIT_REFUSED, in + ": the confirmation is wrong",
                      "no secret was written: check both sides' keys and identities, then begin "
                      "again");
    }

    /* The shared secret from one side's point of view, with both confirmations. */
    Secret agree(Context &ctx, ty_sm2_kx &kx, const uint8_t *peer_point, uint8_t send[32],
                 uint8_t expect[32]) const
    {
        Wiped<ty_key> mine, theirs;
        load_key(ctx, mine, key, password, Need::Private);
        load_key(ctx, theirs, peer, Password(), Need::Public);
        Secret shared(length);
        const Secret my_id = id_mine.get(), their_id = id_peer.get();
        const ty_err err = ty_sm2_kx_final(shared.data(), length, send, expect, peer_point,
                                           my_id.data(), my_id.size(), their_id.data(),
                                           their_id.size(), &theirs.pub, &mine.sm2, &kx);
        if (err == TY_ERR_KEY || err == TY_ERR_FORMAT)
            throw Failure(EXIT_INPUT, in + ": does not hold a point of the curve",
                          "ask for the message again");
        check(err, "key exchange");
        return shared;
    }

    int start(Context &ctx) const
    {
        check_files(ctx, "--state", state, {});
        Wiped<ty_sm2_kx> kx;
        Secret point(65), s(START_LEN);
        check(ty_sm2_kx_init(&kx, point.data(), TY_SM2_INITIATOR, ty_rng_system()), "key exchange");
        std::memcpy(s.data(), STATE_START, STATE_HEAD);
        ty_sm2_kx_get(s.data() + STATE_HEAD, &kx);
        put_both(state, s, point);
        ctx.result["state"] = state;
        ctx.result["output"] = out;
        return EXIT_GOOD;
    }

    int reply(Context &ctx) const
    {
        check_files(ctx, "--state", state, {key, peer, in, password.file});
        const Secret first = message(65, "first");
        Wiped<ty_sm2_kx> kx;
        Secret second(65 + 32), s(REPLY_SECRET + length);
        check(ty_sm2_kx_init(&kx, second.data(), TY_SM2_RESPONDER, ty_rng_system()),
              "key exchange");
        const Secret shared =
            agree(ctx, kx, first.data(), second.data() + 65, s.data() + STATE_HEAD);
        std::memcpy(s.data(), STATE_REPLY, STATE_HEAD);
        std::memcpy(s.data() + REPLY_SECRET, shared.data(), length);
        put_both(state, s, second);
        ctx.result["state"] = state;
        ctx.result["output"] = out;
        return EXIT_GOOD;
    }

    int finish(Context &ctx) const
    {
        check_files(ctx, "--secret", secret, {key, peer, in, state, password.file});
        const Secret second = message(65 + 32, "second"),
                     s = read_state(STATE_START, START_LEN, START_LEN);
        Wiped<ty_sm2_kx> kx;
        const ty_err err = ty_sm2_kx_set(&kx, s.data() + STATE_HEAD);
        if (s[STATE_HEAD] != TY_SM2_INITIATOR || err == TY_ERR_FORMAT || err == TY_ERR_KEY)
            throw Failure(EXIT_INPUT, state + ": damaged",
                          "begin again with tongyu exchange start");
        check(err, "key exchange");
        Secret third(32), expect(32);
        const Secret shared = agree(ctx, kx, second.data(), third.data(), expect.data());
        /* A state is for one answer only: two different answers would reveal the key
         * (tongyu/sm2.h). */
        if (!ty_equal(expect.data(), second.data() + 65, 32)) {
            remove_state(ctx);
            refused();
        }
        put_both(secret, shared, third);
        remove_state(ctx);
        ctx.result["secret_file"] = secret;
        ctx.result["output"] = out;
        if (!ctx.json && !ctx.quiet) std::fprintf(stderr, "%s: confirmed\n", in.c_str());
        return EXIT_GOOD;
    }

    int confirm(Context &ctx) const
    {
        refuse_two_stdins({in, state});
        refuse_same_file({secret}, {in, state});
        refuse_output(secret, force);
        refuse_stdout(secret, ctx.json, true, "--secret");
        const Secret third = message(32, "third");
        const Secret s = read_state(STATE_REPLY, REPLY_SECRET + 1, REPLY_SECRET + SECRET_MAX);
        if (!ty_equal(third.data(), s.data() + STATE_HEAD, 32)) refused();
        Output file(secret, output_flags(force, Output::PRIVATE));
        file.write(s.data() + REPLY_SECRET, s.size() - REPLY_SECRET);
        file.commit();
        remove_state(ctx);
        ctx.result["secret_file"] = secret;
        if (!ctx.json && !ctx.quiet) std::fprintf(stderr, "%s: confirmed\n", in.c_str());
        return EXIT_GOOD;
    }

    void add_parties(CLI::App *app)
    {
        add_path(app, "-k,--key", key, "Your private key")->required();
        add_path(app, "-p,--peer", peer,
                 "Their public key, or a certificate or request with it")->required();
        id_mine.add_options(app, "Your");
        id_peer.add_options(app, "Their", "--peer-");
        add_number(app, "--length", length, 1, SECRET_MAX,
                   "Length of the shared secret in bytes, the same on both sides")
            ->capture_default_str();
        password.add_opening_options(app, "of your key");
    }
};

void add_exchange(CLI::App &root, Context &ctx)
{
    CLI::App *top =
        root.add_subcommand("exchange", "Agree on a secret with confirmation (GB/T 32918.3)");
    top->group("Verbs");
    add_common(top, ctx);
    top->require_subcommand(1);
    top->footer("Examples:\n  A: tongyu exchange start --state a.state -o 1.msg\n"
                "  B: tongyu exchange reply -k b.pem -p a.pub --state b.state -o 2.msg 1.msg\n"
                "  A: tongyu exchange finish -k a.pem -p b.pub --state a.state --secret a.key -o "
                "3.msg 2.msg\n"
                "  B: tongyu exchange confirm --state b.state --secret b.key 3.msg");
    const auto x = std::make_shared<Exchange>();

    CLI::App *app = add_verb(top, ctx, "start", "A: write the first message",
                             [x, &ctx] { return x->start(ctx); });
    add_path(app, "--state", x->state, "State file to write, which finish needs")->required();
    add_path(app, "-o,--out", x->out, "First message, for B (default: stdout)");
    add_force(app, x->force);

    app = add_verb(top, ctx, "reply", "B: write the second message",
                   [x, &ctx] { return x->reply(ctx); });
    x->add_parties(app);
    add_path(app, "--state", x->state, "State file to write, which confirm needs")->required();
    add_path(app, "file", x->in, "First message, from A")->required();
    add_path(app, "-o,--out", x->out, "Second message, for A (default: stdout)");
    add_force(app, x->force);

    app = add_verb(top, ctx, "finish",
                   "A: check B's confirmation, write the secret and the third message",
                   [x, &ctx] { return x->finish(ctx); });
    x->add_parties(app);
    add_path(app, "--state", x->state, "State file that start wrote; it is removed")->required();
    add_path(app, "--secret", x->secret, "The shared secret, readable only by you")->required();
    add_path(app, "file", x->in, "Second message, from B")->required();
    add_path(app, "-o,--out", x->out, "Third message, for B (default: stdout)");
    add_force(app, x->force);

    app = add_verb(top, ctx, "confirm", "B: check A's confirmation, write the secret",
                   [x, &ctx] { return x->confirm(ctx); });
    add_path(app, "--state", x->state, "State file that reply wrote; it is removed")->required();
    add_path(app, "--secret", x->secret, "The shared secret, readable only by you")->required();
    add_path(app, "file", x->in, "Third message, from A")->required();
    add_force(app, x->force);
}
