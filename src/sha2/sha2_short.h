/* A hash that differs from another one in the initial words and in a truncated digest. Template:
 *   SHORT_FN(verb)   its functions: init, final, hash
 *   SHORT_LEN        bytes of its digest
 *   SHORT_IV         its initial words
 *   MD, MD_FN        that other hash; with MD_WORD and MD_BITS, as base/md.h left them */
void SHORT_FN(init)(MD *c)
{
    static const MD_WORD iv[8] = SHORT_IV;
    MD_FN(init)(c);
    memcpy(c->h, iv, sizeof iv);
}

void SHORT_FN(final)(uint8_t out[TY_AT_LEAST(SHORT_LEN)], MD *c)
{
    uint8_t all[MD_BITS];   /* bytes: eight words */
    MD_FN(final)(all, c);
    memcpy(out, all, SHORT_LEN);
    ty_wipe(all, sizeof all);
}

void SHORT_FN(hash)(uint8_t out[TY_AT_LEAST(SHORT_LEN)], const uint8_t *msg, size_t msg_len)
{
    MD c;
    SHORT_FN(init)(&c);
    MD_FN(update)(&c, msg, msg_len);
    SHORT_FN(final)(out, &c);
}

#undef SHORT_FN
#undef SHORT_LEN
#undef SHORT_IV
